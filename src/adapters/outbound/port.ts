export type OutboundFailure = 'TIMEOUT' | 'DNS' | 'PRIVATE_ADDRESS' | 'TLS' | 'CONNECTION'
/** The response's status, or the reason why there was none. */
export type Outcome = { readonly status: number } | { readonly failure: OutboundFailure }

/** Requests to addresses that users choose: no redirects, and never into the operator's own network. */
export type Outbound = {
  /** The response body is not read. Never rejects. */
  readonly post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Outcome>
  /** Whether a URL's host is, or now resolves to, an address outside the public internet. Never rejects. */
  readonly leadsInside: (url: string) => Promise<boolean>
}
