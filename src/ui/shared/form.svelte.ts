// A form: typed values are kept until it succeeds, sent once however often it is pressed, and checked by the server.
import { Trouble, type Versioned } from './api.ts'
import { uuid } from './digest.ts'
import { SignedOut, session } from './session.ts'
import { stepped } from './stepped.svelte.ts'

/** What fields hold is what was typed: text, or a tick. */
export type Values = Record<string, string | boolean>

type Options<V extends Values, R, T = unknown> = {
  /** Names the draft beside the address: two forms of one page need two names. */
  readonly name: string
  readonly values: V
  /** False for secrets: what was typed is not kept in the tab. */
  readonly drafts?: boolean
  /** Sends what was typed. `key` is its Idempotency-Key; `etag` the If-Match of a change. @throws Trouble */
  readonly send: (values: V, key: string, etag: string) => Promise<R>
  /** After a success: leave the page, close the sheet, ask again. */
  readonly done: (answer: R) => unknown
  /** Of a form that changes something: its version, and how to read it anew when somebody else changed it (412). */
  readonly edits?: {
    readonly etag: string
    readonly read: () => Promise<Versioned<T>>
    readonly valuesOf: (latest: T) => V
  }
}
export type Form<V extends Values = Values> = Readonly<Omit<ReturnType<typeof createForm<V, unknown>>, 'values'>> & {
  values: V
}

const PREFIX = 'loyer.draft:'
/** Call it while the component is made: it keeps the draft as long as the component lives. */
export function createForm<V extends Values, R, T = unknown>(options: Options<V, R, T>) {
  const place = `${PREFIX}${location.pathname}#${options.name}`
  const draft = sessionStorage.getItem(place)
  const start = { ...options.values }
  const values = $state<V>({ ...start, ...(draft === null ? {} : (JSON.parse(draft) as Partial<V>)) })
  let restored = $state(draft !== null)
  let busy = $state(false)
  let finished = false
  let trouble = $state.raw<Trouble>()
  let theirs = $state.raw<Versioned<V>>()
  let etag = options.edits?.etag ?? '*'
  let sent = ''
  let key = ''

  $effect(() => {
    const text = JSON.stringify(values)
    if (finished || options.drafts === false || text === JSON.stringify(start)) sessionStorage.removeItem(place)
    else
      try {
        sessionStorage.setItem(place, text)
      } catch {
        // the device refuses or has no room: the form works without a draft
      }
  })

  async function refused(error: Trouble, text: string): Promise<'failed' | 'saved'> {
    if (error.problem?.status === 412 && options.edits) {
      const latest = await options.edits.read()
      const value = options.edits.valuesOf(latest.value)
      // the answer to our own change was lost on the way
      if (JSON.stringify(value) === text) return 'saved'
      theirs = { value, etag: latest.etag }
      return 'failed'
    }
    trouble = error
    return 'failed'
  }

  async function submit(event?: Event): Promise<void> {
    event?.preventDefault()
    if (busy) return
    const body = { ...values }
    const text = JSON.stringify(body)
    // the same body goes under the same key, so that a lost answer is asked for and nothing is done twice
    if (text !== sent) [sent, key] = [text, uuid()]
    stepped.take()
    busy = true
    trouble = theirs = undefined
    try {
      const answer = await options.send(body, key, etag)
      finished = true
      sessionStorage.removeItem(place)
      await options.done(answer)
      sent = ''
    } catch (error) {
      // the session ended elsewhere: the draft is there when the person comes back
      if (error instanceof SignedOut) return void (await session.signIn())
      if (!(error instanceof Trouble)) throw error
      if ((await refused(error, text)) === 'saved') {
        finished = true
        sessionStorage.removeItem(place)
        await options.done(undefined as R)
      }
    } finally {
      busy = false
      finished = false
    }
    if (trouble) focusFirstError(event)
  }

  return {
    values,
    get busy() {
      return busy
    },
    get trouble() {
      return trouble
    },
    /** No answer came: the request may have succeeded. The fields stay disabled until it is sent again. */
    get unknown() {
      return trouble !== undefined && trouble.problem === undefined
    },
    /** What was typed before comes from a draft. */
    get restored() {
      return restored
    },
    /** Somebody else's version, where both are to be shown. */
    get theirs() {
      return theirs?.value
    },
    at: (path: string): string | undefined => trouble?.at(path),
    /** What the server says of something that has no field here. */
    others(paths: readonly string[]): readonly string[] {
      return trouble?.problem?.errors?.filter((e) => !paths.includes(e.path)).map((e) => e.message) ?? []
    },
    submit,
    reset(): void {
      Object.assign(values, start)
      restored = false
      trouble = undefined
    },
    /** Sends what was typed over the other version. */
    keepMine(): Promise<void> {
      if (theirs) etag = theirs.etag
      return submit()
    },
    /** Throws away what was typed for the other version. */
    takeTheirs(): void {
      if (!theirs) return
      etag = theirs.etag
      Object.assign(values, theirs.value)
      Object.assign(start, theirs.value)
      theirs = undefined
    },
  }
}

/** The first field that the server objects to takes the focus, as soon as it is marked. */
function focusFirstError(event?: Event): void {
  const form = event?.target
  if (!(form instanceof HTMLFormElement)) return
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

/** A whole number as people type it: `85 000` and `85.000` are 85000; what is none stays as typed, for the server to judge. */
export function integer(text: string): number {
  const digits = text.replace(/[\s\u00a0\u202f.,]/g, '')
  // no group is one or two digits at the end: 12,5 is not 125
  if (/^\d+$/.test(digits) && !/[.,]\d\d?\s*$/.test(text)) return Number(digits)
  // NaN would travel as null, which clears what is optional
  return (text.trim() === '' ? Number.NaN : text) as number
}
/** What may be left out: null, which the API takes for "not given", where nothing was typed. */
export const orNull = (text: string): string | null => text.trim() || null
