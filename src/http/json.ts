import { accepted } from '../core/encodings.ts'
import { gzipped, isPacked } from './compression.ts'
import { packedTag, plainTags } from './etag.ts'

export type Out = { headers: Record<string, string | number>; status?: number | string }

/**
 * Passes headers and status to the Response directly: for what is left in `set`, Elysia would copy the headers one by
 * one into a second Response, and the body as a stream.
 */
export function answer(set: Out, status: number, body: string | Uint8Array<ArrayBuffer> | Blob | null): Response {
  const headers = set.headers as Record<string, string>
  set.headers = {}
  set.status = 200
  return new Response(body, { status, headers })
}

/** The form in which a text is sent: packed if the client accepts that and the text is long enough. */
export function formOf({ headers }: Request, text: string | Uint8Array<ArrayBuffer>, etag?: string) {
  const encodings = headers.get('accept-encoding')
  if (encodings === null || !isPacked(accepted(encodings), text.length)) return { body: text, etag, headers: {} }
  return { body: gzipped(text), etag: etag && packedTag(etag), headers: PACKED }
}
const PACKED = { 'content-encoding': 'gzip' }

/** 304 under the tag of the form that the client has. */
export function unchanged(request: Request, set: Out, etag: string): Response {
  const packed = packedTag(plainTags(etag))
  set.headers.etag = request.headers.get('if-none-match')?.includes(packed) ? packed : plainTags(etag)
  return answer(set, 304, null)
}

/** Whether a handler returned plain data rather than a Response. */
const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ||
  (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)

type Returned = { readonly request: Request; readonly set: { headers: object }; readonly responseValue: unknown }
/** Answers as JSON what a handler returns that needs no version; leaves a Response as it is. */
export function answerJson({ request, responseValue: value, set: outgoing }: Returned): Response | undefined {
  if (!isPlain(value)) return undefined
  const set = outgoing as Out
  const tag = set.headers.etag
  const { body, etag, headers } = formOf(request, JSON.stringify(value), tag === undefined ? tag : String(tag))
  Object.assign(set.headers, headers, etag !== undefined && { etag })
  return answer(set, Number(set.status ?? 200), body)
}

type Answered = { readonly params: object; readonly set: Out; readonly response: unknown }
/**
 * Gives a 201 its Location: the first of `places` for whose `{member}` of the answer and `:name` of the path all have a
 * text. @throws Error if none fits: every 201 must have a Location
 */
export function locations(places: readonly string[]): (answered: Answered) => void {
  const all = places.map((place) =>
    place.split(/(\{[\w.]+\}|:\w+)/).map((text, n) => ({
      text,
      inAnswer: text[0] === '{',
      path: n % 2 === 1 ? text.replace(/[{}:]/g, '').split('.') : undefined,
    })),
  )
  return ({ set, response, params }) => {
    if (set.status !== 201) return
    for (const parts of all) {
      const texts = parts.map(({ text, inAnswer, path }) =>
        path ? path.reduce<unknown>((at, key) => Object(at)[key], inAnswer ? response : params) : text,
      )
      if (texts.every((text) => typeof text === 'string')) {
        set.headers.location = texts.join('')
        return
      }
    }
    throw new Error(`nothing of ${places} fits the answer`)
  }
}

type Nullable<T> = { [K in keyof T]-?: null extends T[K] ? K : never }[keyof T]
export type Dto<T> = { [K in Exclude<keyof T, Nullable<T>>]: T[K] } & { [K in Nullable<T>]?: NonNullable<T[K]> }
/** A row as clients see it: without the `hidden` members; members without a value are absent, never null. */
export function dto<T extends object, H extends keyof T = never>(row: T, ...hidden: readonly H[]): Dto<Omit<T, H>> {
  const out: Record<string, unknown> = {}
  const left: readonly PropertyKey[] = hidden
  for (const name in row) {
    const value = row[name]
    if (value !== null && value !== undefined && !left.includes(name)) out[name] = value
  }
  return out as Dto<Omit<T, H>>
}
/** `dtoOf<Row>()(...hidden)`: the same for each row of a kind; `last` changes the answer in place, as it does rows of a list. */
export const dtoOf =
  <T extends object>(last?: (row: T) => void) =>
  <H extends keyof T = never>(...hidden: readonly H[]) =>
  (row: T): Dto<Omit<T, H>> => {
    const answered = dto(row, ...hidden)
    last?.(answered as unknown as T)
    return answered
  }
/** `without({ name: value })`: a `last` that leaves out members whose value says nothing. */
export const without =
  <N extends object>(nothing: N) =>
  (row: { [K in keyof N]?: unknown }): void => {
    for (const name in nothing) if (row[name] === nothing[name]) row[name] = undefined
  }
