/** The address as `URL` writes it. Throws TypeError for one that is neither https nor loopback, or holds credentials. */
export function trustedUrl(text: string): string {
  const url = new URL(text)
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw new TypeError('the identity provider must be asked over https')
  if (url.username !== '' || url.password !== '') throw new TypeError('AUTH_URL must hold no credentials')
  return url.href
}

/** Runs `work` for at most `ms` milliseconds, even if it ignores its signal, and cancels bodies that it left open. */
export function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const control = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
    work(control.signal)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  }).finally(() => control.abort())
}
