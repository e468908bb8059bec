export type S3Settings = {
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
  /** The first word of its settings, for sentences. */
  readonly name: 'BACKUP' | 'FILES'
  /** How long an answer may take, ms; longer for large ones. */
  readonly patienceMs?: number
  /** The pauses between tries, ms. */
  readonly waitsMs?: readonly number[]
}
export type S3Object = { readonly name: string; readonly sizeBytes: number }
/** The storage cannot be reached, or refuses: a sentence for whoever runs the server. */
class S3Error extends Error {
  /** Whether a retry may help at once: the connection broke, or could not be made. */
  readonly isBrief: boolean
  constructor(message: string, isBrief = false, cause?: unknown) {
    super(message, { cause })
    this.isBrief = isBrief
  }
}

export type Bucket = {
  /** An object of this name is complete. The storage compares what arrives with the SHA-256 (hex), which is signed. */
  readonly put: (name: string, body: Blob, sha256: string) => Promise<void>
  /** Size in bytes; undefined where there is no such object. */
  readonly sizeOf: (name: string) => Promise<number | undefined>
  /** The object's bytes, `most` of them; undefined where there is no such object. */
  readonly get: (name: string, most?: number) => Promise<AsyncIterable<Uint8Array> | undefined>
  /** The objects whose names begin so, in the order of their names. */
  readonly list: (prefix?: string) => Promise<readonly S3Object[]>
  /** It is no error if there is none. */
  readonly remove: (name: string) => Promise<void>
}

/** One request may carry 5 GiB, by the protocol. */
const MOST_BYTES = 5 * 2 ** 30
/** How long an answer may take, and for each byte sent or received: a line of 16 KB a second is not cut off. */
const PATIENCE = { ms: 60_000, perByte: 1 / 16 }
const WAITS_MS = [500, 2000]
/** A page of 1,000 names is far below it. */
const TEXT_BYTES = 8 * 2 ** 20
/** A million names. */
const MOST_PAGES = 1000
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const MINUTE_MS = 60_000

const decode = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
const member = (xml: string, name: string): string =>
  decode(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '')

type Sent = { readonly method: string; readonly url: string; readonly sha256?: string; readonly body?: Blob }

/**
 * A folder `s3://bucket/prefix` of an S3-compatible storage, by addresses of the form endpoint/bucket/key. What fails
 * for a moment is tried three times. @throws S3Error
 */
export function openBucket(to: string, settings: S3Settings): Bucket {
  const { endpoint, region, keyId, secret, name: setting, patienceMs = PATIENCE.ms, waitsMs = WAITS_MS } = settings
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(to) ?? []
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  const root = `${endpoint}/${bucket}`
  const urlOf = (name: string): string => `${root}/${`${folder}${name}`.split('/').map(encodeURIComponent).join('/')}`

  const unreachable = (e: unknown, ms: number): S3Error => {
    const isLate = e instanceof Error && e.name === 'TimeoutError'
    const why = e instanceof Error ? e.message : String(e)
    return new S3Error(
      isLate
        ? `${endpoint} did not finish within ${Math.ceil(ms / 1000)} s. Check the network, or try again later.`
        : `${endpoint} cannot be reached: ${why}`,
      !isLate,
      e,
    )
  }

  async function once({ method, url, sha256 = EMPTY, body }: Sent): Promise<Response> {
    const { AwsClient } = await import('aws4fetch')
    const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region })
    const { headers } = await client.sign(url, { method, headers: { 'x-amz-content-sha256': sha256 } })
    const ms = patienceMs + (body?.size ?? 0) * PATIENCE.perByte
    // A timeout of its own, because that of a signal would cut a long answer too.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms)
    try {
      // Signed again at each try; a redirect needs a new signature too.
      return await fetch(url, { method, headers, signal: late.signal, redirect: 'manual', ...(body ? { body } : {}) })
    } catch (e) {
      throw unreachable(late.signal.aborted ? late.signal.reason : e, ms)
    } finally {
      clearTimeout(timer)
    }
  }

  /** What the storage said, and what to do. */
  async function refusal(answer: Response): Promise<S3Error> {
    const { status } = answer
    const text = (await textOf(answer).catch(() => '')).slice(0, 4096)
    const code = member(text, 'Code')
    // Requests are signed by this clock; Date.now() is the service's, which may be ahead of it.
    const machine = new Date()
    const off = Math.round(Math.abs(machine.getTime() - Date.parse(answer.headers.get('date') ?? '')) / MINUTE_MS)
    const elsewhere = `${endpoint} is not in the region ${region}: check ${setting}_REGION.`
    const noAccess = `The access key ${keyId} may not do this in the bucket ${bucket}: let it write, read, list and delete there.`
    const known: Readonly<Record<string, string>> = {
      InvalidAccessKeyId: `${endpoint} does not know the access key ${keyId}: check ${setting}_KEY_ID.`,
      SignatureDoesNotMatch: `${endpoint} refuses the secret of the access key ${keyId}: check ${setting}_KEY_SECRET and ${setting}_REGION.`,
      AuthorizationHeaderMalformed: elsewhere,
      RequestTimeTooSkewed: `The clock of this machine and that of ${endpoint} differ${off > 0 ? ` by ${off} minutes` : ''}: set it right, and let it follow the network (NTP).`,
      NoSuchBucket: `${endpoint} has no bucket ${bucket}: make it there, or correct ${setting}_TO.`,
      AccessDenied: noAccess,
    }
    if (status >= 300 && status < 400) return new S3Error(elsewhere)
    const plain = status === 403 ? noAccess : undefined
    return new S3Error(
      known[code] ??
        (code === '' ? plain : undefined) ??
        `${root} answered ${status} ${code}: ${member(text, 'Message')}`,
    )
  }

  async function call(sent: Sent): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const wait = waitsMs[tries]
      try {
        const answer = await once(sent)
        if (answer.ok || answer.status === 404) return answer
        if (answer.status < 500 || wait === undefined) throw await refusal(answer)
        await answer.body?.cancel()
      } catch (e) {
        if (wait === undefined || !(e instanceof S3Error && e.isBrief)) throw e
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  /** Undefined for an object that is not there. A bucket that is not there is an error; for HEAD both look alike. */
  async function existing(sent: Sent): Promise<Response | undefined> {
    const answer = await call(sent)
    if (answer.ok) return answer
    if (sent.method === 'HEAD') return undefined
    const copy = answer.clone()
    if ((await textOf(answer)).includes('<Code>NoSuchKey<')) return undefined
    throw await refusal(copy)
  }
  const needed = async (sent: Sent): Promise<Response> => {
    const answer = await call(sent)
    if (answer.ok) return answer
    throw await refusal(answer)
  }
  const sizeOf = async (name: string): Promise<number | undefined> => {
    const answer = await existing({ method: 'HEAD', url: urlOf(name) })
    return answer && Number(answer.headers.get('content-length'))
  }

  return {
    sizeOf,
    async put(name, body, sha256) {
      if (body.size > MOST_BYTES)
        throw new S3Error(`${name} is larger than 5 GiB, and ${to} takes no more in one file. Choose a folder.`)
      await needed({ method: 'PUT', url: urlOf(name), sha256, body })
      if ((await sizeOf(name)) !== body.size) throw new S3Error(`${urlOf(name)} is not as large as what was sent.`)
    },
    async get(name, most = MOST_BYTES) {
      const answer = await existing({ method: 'GET', url: urlOf(name) })
      return answer && received(answer, most)
    },
    async list(more = '') {
      const all: S3Object[] = []
      const pages = new Set<string>()
      let from = ''
      do {
        // A storage that names a page again would be listed for ever.
        if (pages.has(from) || pages.size === MOST_PAGES) throw new S3Error(`${endpoint} lists ${to} without an end.`)
        pages.add(from)
        const query = `list-type=2&prefix=${encodeURIComponent(folder + more)}${from && `&continuation-token=${encodeURIComponent(from)}`}`
        const xml = await textOf(await needed({ method: 'GET', url: `${root}?${query}` }))
        for (const [, one = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          all.push({ name: member(one, 'Key').slice(folder.length), sizeBytes: Number(member(one, 'Size')) })
        from = member(xml, 'NextContinuationToken')
      } while (from !== '')
      return all
    },
    async remove(name) {
      await existing({ method: 'DELETE', url: urlOf(name) })
    },
  }

  async function textOf(answer: Response): Promise<string> {
    const pieces: Uint8Array[] = []
    const until = performance.now() + patienceMs
    for await (const piece of received(answer, TEXT_BYTES)) {
      if (performance.now() > until) throw unreachable(new DOMException('late', 'TimeoutError'), patienceMs)
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString('utf8')
  }
  /** The bytes of an answer; a pause longer than the patience, an early end, or more than `most` is an error. */
  async function* received(answer: Response, most: number): AsyncGenerator<Uint8Array> {
    const reader = answer.body?.getReader()
    const size = answer.headers.get('content-length')
    let length = 0
    try {
      for (;;) {
        let timer: ReturnType<typeof setTimeout> | undefined
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new DOMException('late', 'TimeoutError')), patienceMs)
        })
        const next = await Promise.race([reader?.read(), late]).finally(() => clearTimeout(timer))
        if (!next || next.done) break
        length += next.value.byteLength
        if (length > most) throw new S3Error(`${endpoint} sent more than the ${most} bytes that were expected.`)
        yield next.value
      }
    } catch (e) {
      throw e instanceof S3Error ? e : unreachable(e, patienceMs)
    } finally {
      await reader?.cancel().catch(() => {})
    }
    if (size !== null && length !== Number(size))
      throw new S3Error(`${endpoint} sent ${length} of ${size} bytes. Try again.`)
  }
}
