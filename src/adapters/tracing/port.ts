/** An answered request; `ms`: how long the answer took, up to now. */
export type Answered = {
  readonly method: string
  /** The path of the route, as it is written. */
  readonly route: string
  readonly status: number
  readonly requestId: string | undefined
  readonly ms: number
}

/** Traces of what the service does. None of these throws, and none waits for the collector. */
export type Traces = {
  readonly answered: (request: Request, answer: Answered) => void
  readonly worked: (kind: string, ms: number, failed: boolean) => void
  /** Sends the remaining spans, within a short time. */
  readonly end: () => Promise<void>
}
