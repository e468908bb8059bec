import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { atEnd, temporaryFolder } from './folder.ts'

export const HOST = 'rent.example.cm'
export type Site = { readonly port: number; readonly upstream: number }
export type Proxy = {
  readonly name: 'caddy' | 'nginx' | 'traefik'
  readonly configuration: (sites: readonly Site[], folder: string) => string
}

/** The Caddyfile of the handbook with what a test must add: ports, its own certificates, nothing kept at home. */
const caddyfile = (sites: readonly Site[]): string =>
  [
    '{',
    '  admin off',
    '  auto_https disable_redirects',
    '  local_certs',
    '  skip_install_trust',
    '}',
    ...sites.map(({ port, upstream }) => `${HOST}:${port} {\n  reverse_proxy 127.0.0.1:${upstream}\n}`),
  ].join('\n')

const nginxConf = (sites: readonly Site[], folder: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${sites
  .map(
    ({ port, upstream }) => `  server {
    listen 127.0.0.1:${port} ssl;
    server_name ${HOST};
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    client_max_body_size 21m;
    location / {
      proxy_pass http://127.0.0.1:${upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_request_buffering off;
      proxy_buffering off;
    }
  }`,
  )
  .join('\n')}
}
`
/** The dynamic file of the handbook for each site; without a resolver Traefik makes a certificate of its own. */
const traefikFile = (sites: readonly Site[]): string =>
  JSON.stringify({
    http: {
      routers: Object.fromEntries(
        sites.map(({ port }) => [
          `r${port}`,
          { rule: `Host(\`${HOST}\`)`, entryPoints: [`p${port}`], service: `s${port}`, tls: {} },
        ]),
      ),
      services: Object.fromEntries(
        sites.map(({ port, upstream }) => [
          `s${port}`,
          { loadBalancer: { servers: [{ url: `http://127.0.0.1:${upstream}` }] } },
        ]),
      ),
    },
  })

export const PROXIES: readonly Proxy[] = [
  { name: 'caddy', configuration: caddyfile },
  { name: 'nginx', configuration: nginxConf },
  { name: 'traefik', configuration: traefikFile },
]
/** The words of the command line that make a proxy use a file. */
const argumentsOf = (name: Proxy['name'], file: string, folder: string, sites: readonly Site[]): readonly string[] => {
  if (name === 'caddy') return ['run', '--config', file, '--adapter', 'caddyfile']
  if (name === 'nginx') return ['-c', file, '-p', folder]
  return [
    `--providers.file.filename=${file}`,
    ...sites.map(({ port }) => `--entryPoints.p${port}.address=127.0.0.1:${port}`),
  ]
}

const programOf = (name: string) => Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` })
export const isInstalled = ({ name }: Proxy): boolean => programOf(name) !== null

/** Starts a real proxy before the given servers. @returns its end; @throws Error where it is not installed */
export async function startProxy({ name, configuration }: Proxy, sites: readonly Site[]): Promise<() => void> {
  const program = programOf(name)
  if (program === null) throw new Error(`${name} is not installed`)
  const folder = temporaryFolder(name)
  // Traefik reads the kind of a file from its name; JSON is YAML too.
  const file = join(folder, 'configuration.yml')
  writeFileSync(file, configuration(sites, folder))
  if (name === 'nginx') {
    const made = spawnSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${HOST}`],
        ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
      ],
      { encoding: 'utf8' },
    )
    if (made.status !== 0) throw new Error(`no certificate: ${made.stderr}`)
  }
  const child = spawn(program, argumentsOf(name, file, folder, sites), {
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      words += String(chunk)
    })
  const end = once(child, 'exit')
  atEnd(() => void child.kill('SIGKILL'))
  for (const { port } of sites)
    for (let tries = 0; ; tries += 1) {
      const ready = await ask(port, 'GET', '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      )
      if (ready) break
      if (child.exitCode !== null || tries > 200) throw new Error(`${name} did not start: ${words.slice(-2000)}`)
      await Bun.sleep(50)
    }
  return () => {
    child.kill('SIGTERM')
    void end
  }
}

export type Asked = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }
/** A request over TLS to the proxy, from a loopback address of the caller's choice. */
export const ask = (
  port: number,
  method: string,
  path: string,
  { headers = {}, body, from }: { headers?: Record<string, string>; body?: string | Buffer; from?: string } = {},
): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, method, path, servername: HOST, rejectUnauthorized: false },
        ...(from === undefined ? {} : { localAddress: from }),
        headers: {
          host: HOST,
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        agent: false,
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString('latin1'),
          }),
        )
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
