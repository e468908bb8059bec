import { AppError } from '../../errors.ts'

// The addon is loaded at the first password, because it slows down the start.
const argon2 = () => import('@node-rs/argon2')

// OWASP's second recommended set: 19 MiB, two passes, one lane. Algorithm 2 is argon2id (a const enum in the types).
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$'
const AT_ONCE = 2
const WAITING = 32

let running = 0
const waiting: (() => void)[] = []

/** Two hashes at once use 40 MiB and both cores; a longer queue would only time out. */
async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING) throw new AppError('overloaded', undefined, { retryAfter: 2 })
    // A finished hash passes its place on without changing `running`, so that no newcomer can take it in between.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Hashes the NFKC form of the password as a PHC string. Rejects with `overloaded` (503) when 32 are waiting. */
export const hashPassword = (password: string): Promise<string> =>
  bounded(async () => (await argon2()).hash(password.normalize('NFKC'), PARAMETERS))

let decoy: Promise<string> | undefined

/**
 * Whether the password matches `phc`. Without a hash (unknown user) a decoy is verified at the same cost, and the
 * answer is false. Rejects with `overloaded` (503) like hashPassword.
 */
export async function verifyPassword(phc: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID()).catch((error: unknown) => {
    decoy = undefined
    throw error
  })
  const against = phc ?? (await decoy)
  const matches = await bounded(async () => (await argon2()).verify(against, password.normalize('NFKC')))
  return matches && phc !== undefined
}

/** Whether a stored hash has outdated parameters and should be replaced at the next sign-in. */
export const needsRehash = (phc: string): boolean => !phc.startsWith(CURRENT)
