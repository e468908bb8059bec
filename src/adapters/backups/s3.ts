import { openAsBlob } from 'node:fs'
import { StoreError } from '../../../db/store-error.ts'

export type S3Settings = {
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}
type Kept = { readonly name: string; readonly sizeBytes: number }
/** Where finished backups lie. */
export type Place = {
  /** Brings a file there under a name; a file of this name is complete. */
  readonly put: (path: string, name: string, sha256: string, sizeBytes: number) => Promise<void>
  readonly list: () => Promise<readonly Kept[]>
  readonly remove: (name: string) => Promise<void>
}

/** One request may carry 5 GiB, by the protocol. */
const MOST_BYTES = 5 * 2 ** 30
const TIMEOUT_MS = 3600_000
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const decode = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
const member = (xml: string, name: string): string =>
  decode(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '')

/**
 * A bucket of an S3-compatible storage, by addresses of the form endpoint/bucket/key. The server compares what it
 * received with the SHA-256 that is signed. @throws StoreError with the answer of the storage
 */
export function s3Place(to: string, { endpoint, region, keyId, secret }: S3Settings): Place {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(to) ?? []
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  const root = `${endpoint}/${bucket}`

  async function call(method: string, url: string, sha256 = EMPTY, body?: Blob): Promise<Response> {
    const { AwsClient } = await import('aws4fetch')
    const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region })
    const { headers } = await client.sign(url, { method, headers: { 'x-amz-content-sha256': sha256 } })
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // Signed again at each call: redirects and tries belong to a request with a new signature.
    const answer = await fetch(url, { method, headers, signal, redirect: 'error', ...(body ? { body } : {}) }).catch(
      (e: unknown) => {
        throw new StoreError(69, `${endpoint} cannot be reached: ${e instanceof Error ? e.message : String(e)}`, e)
      },
    )
    if (answer.ok || (method === 'DELETE' && answer.status === 404)) return answer
    const text = (await answer.text()).slice(0, 4096)
    throw new StoreError(69, `${root} answered ${answer.status} ${member(text, 'Code')}: ${member(text, 'Message')}`)
  }
  const urlOf = (name: string): string => `${root}/${`${folder}${name}`.split('/').map(encodeURIComponent).join('/')}`

  return {
    async put(path, name, sha256, sizeBytes) {
      if (sizeBytes > MOST_BYTES)
        throw new StoreError(
          73,
          `The backup is larger than 5 GiB, and ${to} takes no more in one file. Choose a folder.`,
        )
      await call('PUT', urlOf(name), sha256, await openAsBlob(path))
      const { headers } = await call('HEAD', urlOf(name))
      if (Number(headers.get('content-length')) !== sizeBytes)
        throw new StoreError(69, `${urlOf(name)} is not as large as the backup that was sent`)
    },
    async list() {
      const found: Kept[] = []
      let from = ''
      do {
        const query = `list-type=2&prefix=${encodeURIComponent(folder)}${from && `&continuation-token=${encodeURIComponent(from)}`}`
        const xml = await (await call('GET', `${root}?${query}`)).text()
        for (const [, one = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          found.push({ name: member(one, 'Key').slice(folder.length), sizeBytes: Number(member(one, 'Size')) })
        from = member(xml, 'NextContinuationToken')
      } while (from !== '')
      return found
    },
    remove: async (name) => void (await call('DELETE', urlOf(name))),
  }
}
