/** The most common leaked passwords, and local ones; compared without case and trailing digits. */
const COMMON = new Set(
  `password passw0rd passwort motdepasse azertyui azertyuiop qwertyui qwertyuiop qwerty123 azerty123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx
  q1w2e3r4 qazwsxedc iloveyou jetaime monamour sunshine princess princesse football baseball basketball superman batman spiderman pokemon
  starwars trustno1 letmein welcome bienvenue changeme changezmoi administrator administrateur adminadmin rootroot testtest secretsecret
  master123 shadow12 michael1 jennifer jordan23 dragon12 monkey12 charlie1 computer internet ordinateur samsung1 whatsapp facebook google123
  cameroun cameroon douala237 yaounde237 douala yaounde bamenda bafoussam lionsindomptables lionindomptable samueletoo etoofils jesuschrist
  jesuslove dieuestgrand dieumerci godisgood blessing merveille chocolat soleil12 bonjour1 bonjour123 salut123 loyer123 loyerloyer
  abcdefgh abcd1234 abc12345 aaaabbbb asdfghjk asdfghjkl zxcvbnm1 zxcvbnmm qwer1234 passpass password1 iloveyou1 111222333 123123123
  11223344 12341234 12344321 87654321 98765432 987654321 01234567 12345678 123456789 1234567890 0123456789 123456780 147258369 159753456
  159357456 741852963 789456123 321654987 147852369 100200300 10203040 1122334455 12121212 13131313 23232323 69696969 88888888`
    .split(/\s+/)
    .filter(Boolean),
)
const SEQUENCES = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'azertyuiopqsdfghjklmwxcvbn',
  'qwertyuiopasdfghjklzxcvbnm',
]

export type PasswordProblem = 'length' | 'common'

/**
 * Why a password is refused, or undefined: 8 to 128 code points after NFKC, not one of the common ones, no single
 * repeated character, no run of the keyboard, not made of the telephone number. No other rule (NIST SP 800-63B).
 */
export function passwordProblem(password: string, phoneNumber = ''): PasswordProblem | undefined {
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < 8 || length > 128) return 'length'
  const lower = normal.toLowerCase()
  const stem = lower.replace(/[\d!.?*@#_-]+$/, '')
  const digits = phoneNumber.replace(/\D/g, '')
  if (COMMON.has(lower) || COMMON.has(stem)) return 'common'
  if (new Set(lower).size < 3) return 'common'
  if (SEQUENCES.some((s) => s.includes(lower) || [...s].reverse().join('').includes(lower))) return 'common'
  if (
    digits !== '' &&
    /^[+\d\s]+$/.test(lower) &&
    (digits.includes(lower.replace(/\D/g, '')) || lower.replace(/\D/g, '').includes(digits.slice(-9)))
  )
    return 'common'
  return undefined
}
