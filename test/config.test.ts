// Addresses in the settings: what cannot work, or reads differently to two parsers, never starts; all of it is told at once.
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, loadConfig } from '../src/config.ts'
import { temporaryFolder } from './support/folder.ts'

const told = (env: Record<string, string>, file?: string): string[] => {
  try {
    loadConfig(env, { file })
    return []
  } catch (e) {
    if (e instanceof ConfigError) return [...e.problems]
    throw e
  }
}

const KEYS_OF_STORAGE = {
  BACKUP_ENDPOINT: 'http://minio_1:9000',
  BACKUP_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  BACKUP_KEY_SECRET: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY=',
}
const refused: [setting: string, values: string[]][] = [
  [
    'PUBLIC_URL',
    [
      'rent.example.cm',
      'https://rent.example.cm/loyer',
      'https://u:p@a.cm',
      'https://a.cm?b',
      'ftp://a.cm',
      ' https://a.cm ',
      'https:a.cm',
      'https:///a.cm',
      'https://.',
      'https://a..cm',
      'https://a.cm:0',
      'https://:p@a.cm',
      'https://*.a.cm',
      "https://a';x.cm",
      `https://${'a'.repeat(64)}.cm`,
      'https://a.cm?',
    ],
  ],
  [
    'AUTH_URL',
    [
      'http://id.example.cm',
      'id.example.cm',
      'https://u@id.cm',
      'https://id.cm?x=1',
      'http://127.0.0.1.cm',
      ' https://id.cm ',
      'https:id.cm',
      'https://:p@id.cm',
      'https://id.cm?',
      'https://id.cm#',
      'https://id.cm/a b',
      'https://id.cm\\a',
      'https://.',
    ],
  ],
  ['HOST', ['rent.example.cm', '300.1.1.1', '127.0.0.1:3000', '::g', '*', ' ', 'fe80::1%eth0', '::1%lo']],
  [
    'TRUSTED_PROXIES',
    [
      '127.0.0.1/33',
      '300.1.1.1',
      '::1/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      // Another program may read it as octal.
      '10.0.0.0/08',
      '::1/064',
      'proxy',
      '10.0.0.1,',
      ' ',
      'fe80::1%eth0',
      '10.0.0.0/1e1',
      '10.0.0.0/-1',
    ],
  ],
  [
    'CORS_ORIGINS',
    [
      'https://a.cm/app',
      '*',
      'null',
      'a.cm',
      'ftp://a.cm',
      'https://a.cm,',
      ' ',
      'https:a.cm',
      'https://a.cm:0',
      'https://a.cm?',
    ],
  ],
  [
    'OIDC_REDIRECT_URIS',
    [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'http://a.cm/cb',
      'https://a.cm/cb#x',
      'https://*.a.cm/cb',
      'https://u:p@a.cm/cb',
      'app:/cb',
      'https:a.cm/cb',
      'https:///a.cm/cb',
      'https://:p@a.cm/cb',
      'https://a.cm\\cb',
      'https://a..cm/cb',
      'https://a.cm/cb,',
      '/callback',
    ],
  ],
  ['ALLOWED_PHONE_PREFIXES', ['+0', '+237,+07', '237', '+', '+237;+33']],
  ...['FILES', 'BACKUP'].flatMap((of): typeof refused => [
    [
      `${of}_TO`,
      [
        's3://',
        's3://bu',
        's3://Bucket',
        's3://buc..ket',
        's3://bucket-.a',
        's3://192.168.0.1',
        's3://bucket//',
        's3://bucket/../x',
        's3://bucket/.',
        's3://bucket/a\nb',
        'ftp://bucket',
      ],
    ],
    [
      `${of}_ENDPOINT`,
      [
        's3.example.cm',
        'https://',
        'https://a b',
        'https://a:99999',
        'https://a:0',
        'http://[::g]',
        'https://%zz',
        'https://a\\b',
        'https://..',
        'https://a,b',
        'https://u:p@a',
        'https://a/b',
        'http://1.2.3.4.5',
        'http://999.1.1.1',
        'https://xn--a.cm',
        'https://a?',
      ],
    ],
    [`${of}_KEY_ID`, ['a b', 'é', 'a/b', 'a\nX: y']],
    [`${of}_KEY_SECRET`, ['a\nb', ' ']],
  ]),
  ['LOYER_DATA', [import.meta.path, ' ', 'data ', 'a\nb']],
  [
    'BACKUP_TO',
    [
      import.meta.path,
      join(import.meta.path, 'backups'),
      `/tmp/${'x'.repeat(256)}`,
      ' ',
      'off ',
      'OFF',
      's3:/bucket',
      'S3://bucket',
      'file:/backups',
    ],
  ],
  ['BACKUP_PASSPHRASE', [' '.repeat(12), 'a passphrase that ends with a space ']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://a:99999', 'http://1.2.3.4.5', 'http:///', 'http://:p@a', 'http://a?b']],
  ['OTEL_EXPORTER_OTLP_HEADERS', ['a=%zz', 'a=b%0Ac', 'a=b,', 'a=€', 'ab']],
  ['WEBHOOK_SMSVENDOR_TOKEN_FILE', ['/nowhere/token', import.meta.dirname]],
  ['LOYER_TIME_ZONE', ['Douala', '+01:00', ' Africa/Douala']],
  ['PORT', ['0', '65536', '80 ', '3e3', 'NaN', '-1', '3000,', ' ']],
]
for (const [setting, values] of refused)
  for (const value of values)
    test(`${setting}=${value} does not start`, () => {
      const problems = told({ ...KEYS_OF_STORAGE, [setting]: value })
      expect(problems.length).toBeGreaterThan(0)
      for (const problem of problems) expect(problem).toStartWith(`${setting}: `)
    })

test('everything that is wrong is told at once, each on a line of its own', () => {
  const problems = told({
    TRUSTED_PROXIES: '127.0.0.1/33, 300.1.1.1',
    HOST: 'x',
    AUTH_URL: 'http://a.cm',
    MESSAGING: 'pigeon',
  })
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    'MESSAGING',
    'AUTH_URL',
    'HOST',
    'TRUSTED_PROXIES',
    'TRUSTED_PROXIES',
  ])
})

test('the secret of a Keycloak without one does not start', () => {
  const secret = { AUTH_ADMIN_CLIENT_SECRET: 'a-secret' }
  expect(told(secret)).toEqual(['AUTH_ADMIN_CLIENT_SECRET: only for a Keycloak, AUTH_URL=https://host'])
  expect(told({ ...secret, AUTH_URL: 'https://id.example.cm' })).toEqual([])
})

test('no address of a vendor starts that no request could go to', () => {
  const urls = ['WHATSAPP_URL', 'INFOBIP_URL', 'TWILIO_URL', 'MESSAGING_HTTP_URL']
  const wrong = ['https://[', 'https://:99', 'https://%', 'https://a:99999', 'https://a:0', 'https://1.2.3.4.5']
  for (const url of urls)
    for (const value of wrong)
      expect(told({ [url]: value })[0] ?? `${url}=${value}: starts`).toStartWith(`${url}: must`)
})

test('a node of several machines is told how to leave, wherever its address stands', () => {
  for (const value of ['libsql://a.cm', 'https://a.cm', '/fast/rent.db'])
    expect(told({ DATABASE_URL: value })).toEqual([
      'DATABASE_URL: there is no such setting any more: the database is loyer.db in LOYER_DATA, and a node of libsql:// has everything in that folder, so stop all nodes, this one last, and start this one without DATABASE_URL and DATABASE_TOKEN',
    ])
  expect(told({ DATABASE_URL: '', DATABASE_TOKEN: 'eyJhbGciOi' })).toEqual([])
  const file = join(temporaryFolder('config'), 'node.env')
  writeFileSync(file, 'DATABASE_URL=libsql://a.cm\nDATABASE_TOKEN=eyJhbGciOi\n')
  expect(told({}, file)).toEqual([
    expect.stringMatching(/line 2: unknown setting DATABASE_TOKEN$/),
    expect.stringMatching(/^DATABASE_URL: there is no such setting any more: .* stop all nodes/),
  ])
})

const spelled: [name: string, env: Record<string, string>, expected: object][] = [
  [
    'capitals, the default port and a last slash',
    { PUBLIC_URL: 'https://Rent.Example.cm:443/' },
    { publicUrl: 'https://rent.example.cm' },
  ],
  [
    'origins as browsers write them',
    { CORS_ORIGINS: 'https://APP.example.cm:443, http://localhost:5173/' },
    { corsOrigins: ['https://app.example.cm', 'http://localhost:5173'] },
  ],
  [
    'addresses and ranges of both families',
    { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8 ,::1/128' },
    { trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1/128'] },
  ],
  ['a Keycloak below a path', { AUTH_URL: 'https://id.example.cm/auth/' }, { authUrl: 'https://id.example.cm/auth' }],
  ['a Keycloak as its tokens name it', { AUTH_URL: 'https://ID.example.cm:443' }, { authUrl: 'https://id.example.cm' }],
  ['a JSON body on several lines', { MESSAGING_HTTP_BODY: '{\n"to":"{{to}}"\n}\n' }, { messaging: { vendor: 'log' } }],
  ['a Keycloak on this machine', { AUTH_URL: 'http://localhost:8080' }, { authUrl: 'http://localhost:8080' }],
  [
    'redirect URIs, to the letter',
    { OIDC_REDIRECT_URIS: 'https://App.cm/cb, com.svc.app:/callback, http://127.0.0.1:8080/cb' },
    { redirectUris: ['https://App.cm/cb', 'com.svc.app:/callback', 'http://127.0.0.1:8080/cb'] },
  ],
  ['every address', { HOST: '::' }, { host: '::' }],
]
for (const [to, endpoint] of [
  ['s3://homes', 'https://s3.eu-west-3.amazonaws.com'],
  ['s3://homes.photos-1/Loyer/Douala_2', 'http://127.0.0.1:9000'],
  ['s3://homes/', 'http://[::1]:65535'],
  ['s3://1.2.3.4a/Loyer & co/été', 'https://Minio.example.cm.'],
] as const)
  test(`good: ${to} at ${endpoint}`, () => {
    const { files, backup } = loadConfig({
      ...KEYS_OF_STORAGE,
      ...{ FILES_TO: to, FILES_ENDPOINT: endpoint, BACKUP_TO: to, BACKUP_ENDPOINT: endpoint },
    })
    expect([files?.to, backup?.place?.to]).toEqual([to, to])
  })
for (const [name, env, expected] of spelled)
  test(`good: ${name}`, () => expect(loadConfig(env)).toMatchObject(expected))

test('a file of settings: unknown names are told with their line, files of secrets for secrets alone', () => {
  const file = join(temporaryFolder('config'), 'loyer.env')
  writeFileSync(
    file,
    '# ours\nPORT=4000\nPORTT=1\nPORT_FILE=/etc/port\nWEBHOOK_SMSVENDOR_TOKEN_FILE=/nowhere\nPORT=5000\n',
  )
  expect(told({}, file)).toEqual([
    `${file} line 3: unknown setting PORTT`,
    `${file} line 4: unknown setting PORT_FILE`,
    `${file} line 6: PORT stands in the file twice`,
    'WEBHOOK_SMSVENDOR_TOKEN_FILE: there is no file /nowhere',
  ])
  expect(told({}, '/nowhere/loyer.env')).toEqual(['--config: there is no file /nowhere/loyer.env'])
})
