/** What must never appear in output: named secrets, one-time codes, and phone numbers. */
export function createCanaries(numbers: readonly string[]) {
  const secrets = new Map<string, string>()
  const codes: string[] = []
  const forms = numbers.flatMap((number) => [number.slice(4), encodeURIComponent(number)])
  return {
    secrets,
    codes,
    /** Takes note of a secret and returns it. @throws Error for what is none */
    secret(name: string, value: unknown): string {
      if (typeof value !== 'string' || value.length < 6) throw new Error(`no ${name}: ${String(value)}`)
      secrets.set(`${name} ${secrets.size}`, value)
      return value
    },
    /** The names of the secrets that a text holds. Digits among others prove nothing: a code counts where it stands alone. */
    heard: (text: string): string[] => [
      ...[...secrets].filter(([, value]) => text.includes(value)).map(([name]) => name),
      ...codes
        .filter((code) => new RegExp(`(?<![0-9A-Za-z_-])${code}(?![0-9A-Za-z_-])`).test(text))
        .map(() => 'one-time code'),
    ],
    /** The numbers that a text holds, with or without country code. */
    dialled: (text: string): string[] => forms.filter((form) => text.includes(form)),
  }
}
