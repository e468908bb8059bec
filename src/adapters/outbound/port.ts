export type OutboundFailure = 'TIMEOUT' | 'DNS' | 'PRIVATE_ADDRESS' | 'TLS' | 'CONNECTION'
/** The status that an address answered, or why there was none. */
export type Outcome = { readonly status: number } | { readonly failure: OutboundFailure }

/** Calls to addresses that users of the service choose: never followed elsewhere, never to the operator's own network. */
export type Outbound = {
  /** The answer's body is not read. Never rejects. */
  readonly post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Outcome>
  /** Whether a URL's host is, or a name now leads to, an address that is not on the open internet. Never rejects. */
  readonly leadsInside: (url: string) => Promise<boolean>
}
