const LEVELS = ['info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]
/** `level`: the least that is written. `text`: for people to read, in place of JSON. */
export type LogOptions = { readonly level?: Level; readonly text?: boolean }

/**
 * Logs one line for each event, as a JSON object unless `text` is set. Callers pass only words, ids, numbers and times: no bodies, queries, tokens or phone
 * numbers.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>
export type Log = {
  readonly info: (event: string, fields?: LogFields) => void
  readonly warn: (event: string, fields?: LogFields) => void
  readonly error: (event: string, cause: unknown, fields?: LogFields) => void
}

/** Error messages of libraries may contain a telephone number. */
const masked = (text: string): string => text.replace(/\+?\d{9,15}/g, '•••')
const causeOf = (cause: unknown): LogFields =>
  cause instanceof Error
    ? {
        error: masked(`${cause.name}: ${cause.message}`.slice(0, 500)),
        stack: cause.stack?.split('\n').slice(1, 6).join(' | ').slice(0, 1000),
      }
    : { error: masked(String(cause).slice(0, 500)) }

/** `14:02:33 warn  event name=value`, with quotes where a value has spaces. */
function textLine(time: string, level: string, event: string, fields: LogFields): string {
  const members = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = String(value)
    return [`${name}=${/[\s"=]/.test(text) ? JSON.stringify(text) : text}`]
  })
  return `${[time.slice(11, 19), level.padEnd(5), event, ...members].join(' ')}\n`
}

/** `wall`: epoch ms. */
export function createLog(
  write: (line: string) => void,
  wall: () => number,
  { level: least = 'info', text = false }: LogOptions = {},
): Log {
  let at = Number.NaN
  let time = ''
  const line = (level: Level, event: string, fields: LogFields = {}) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return
    const now = wall()
    // The timestamp is cached, because a busy server writes many lines in one millisecond.
    if (now !== at) time = new Date(now).toISOString()
    at = now
    if (text) return write(textLine(time, level, event, fields))
    const rest = JSON.stringify(fields)
    write(`{"time":"${time}","level":"${level}","event":"${event}"${rest === '{}' ? '' : ','}${rest.slice(1)}\n`)
  }
  return {
    info: (event, fields) => line('info', event, fields),
    warn: (event, fields) => line('warn', event, fields),
    error: (event, cause, fields) => line('error', event, { ...fields, ...causeOf(cause) }),
  }
}
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Buffers lines for a moment, so that a busy server writes many at once; the buffer is flushed when the process ends. */
export function buffered(write: (text: string) => void, ms = 50): (line: string) => void {
  let waiting = ''
  const flush = (): void => {
    const text = waiting
    waiting = ''
    if (text !== '') write(text)
  }
  process.on('exit', flush)
  return (line) => {
    if (waiting === '') setTimeout(flush, ms)
    waiting += line
    if (waiting.length > 65_536) flush()
  }
}
