import { UsageError } from './command.ts'

/** The address of a server behind a proxy on the same machine, which speaks HTTPS for it. @throws UsageError */
export function httpsOf(domain: string): string {
  if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain)) throw new UsageError('--domain: a name such as rent.example.cm')
  return `https://${domain}`
}
/** The proxies that such a server believes. */
export const LOOPBACK = '127.0.0.1,::1'

/** How to let Caddy be this proxy, as lines to print. */
export const proxyText = (domain: string, port: number): string => `
  HTTPS, in /etc/caddy/Caddyfile:

  ${domain} {
    reverse_proxy 127.0.0.1:${port}
  }
`
