// Settings of the messaging vendors: each one that is missing or bad is told on a line of its own, all at once.
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, loadConfig } from '../src/config.ts'
import { temporaryFolder } from './support/folder.ts'

const told = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env)
    return []
  } catch (e) {
    if (e instanceof ConfigError) return [...e.problems]
    throw e
  }
}
const SID = `AC${'0'.repeat(32)}`
const HX = `HX${'a'.repeat(32)}`
const INFOBIP = { INFOBIP_URL: 'https://x.api.infobip.com', INFOBIP_API_KEY: 'k' }
const refused: [name: string, env: Record<string, string>, lines: (string | RegExp)[]][] = [
  ['an unknown adapter', { MESSAGING: 'pigeon' }, ['MESSAGING: must be log, whatsapp-cloud, infobip, twilio or http']],
  [
    'whatsapp-cloud, nothing set',
    { MESSAGING: 'whatsapp-cloud' },
    [
      'WHATSAPP_PHONE_NUMBER_ID: must be set for whatsapp-cloud',
      'WHATSAPP_TOKEN: must be set for whatsapp-cloud, or WHATSAPP_TOKEN_FILE',
    ],
  ],
  [
    'infobip, nothing set',
    { MESSAGING: 'infobip' },
    [
      'INFOBIP_URL: must be set for infobip',
      'INFOBIP_API_KEY: must be set for infobip, or INFOBIP_API_KEY_FILE',
      'INFOBIP_WHATSAPP_SENDER or INFOBIP_SMS_SENDER: must be set for infobip',
    ],
  ],
  [
    'twilio, nothing set',
    { MESSAGING: 'twilio' },
    [
      'TWILIO_ACCOUNT_SID: must be set for twilio',
      'TWILIO_AUTH_TOKEN: must be set for twilio, or TWILIO_AUTH_TOKEN_FILE',
      'TWILIO_WHATSAPP_FROM or TWILIO_SMS_FROM: must be set for twilio',
    ],
  ],
  [
    'twilio for WhatsApp without templates',
    { MESSAGING: 'twilio', TWILIO_ACCOUNT_SID: SID, TWILIO_AUTH_TOKEN: 't', TWILIO_WHATSAPP_FROM: '+14155238886' },
    [
      'TWILIO_CONTENT_CODE: must be set for WhatsApp by twilio',
      'TWILIO_CONTENT_NEWS: must be set for WhatsApp by twilio',
    ],
  ],
  ['http, nothing set', { MESSAGING: 'http' }, ['MESSAGING_HTTP_URL: must be set for http']],
  [
    'a second adapter needs its own',
    { MESSAGING: 'whatsapp-cloud', MESSAGING_SMS: 'infobip', WHATSAPP_TOKEN: 't', WHATSAPP_PHONE_NUMBER_ID: '12345' },
    [/^INFOBIP_URL:/, /^INFOBIP_API_KEY:/, 'INFOBIP_SMS_SENDER: must be set for infobip'],
  ],
  [
    'a second one beside none',
    { MESSAGING_SMS: 'http', MESSAGING_HTTP_URL: 'https://a.b/c' },
    [/^MESSAGING_SMS: names a second adapter/],
  ],
  [
    'the same one twice',
    { MESSAGING: 'infobip', MESSAGING_SMS: 'infobip', INFOBIP_SMS_SENDER: 'Loyer', ...INFOBIP },
    [/^MESSAGING_SMS: names a second adapter/],
  ],
  [
    'a gateway in the own network, without https',
    { MESSAGING: 'http', MESSAGING_HTTP_URL: 'http://192.168.1.20:8080/send' },
    ['MESSAGING_HTTP_URL: must be an https address; http to this machine only'],
  ],
  ['plain http to another machine', { INFOBIP_URL: 'http://x.api.infobip.com' }, [/^INFOBIP_URL:/]],
  ['plain http to a name that begins like ours', { INFOBIP_URL: 'http://localhost.evil.example' }, [/^INFOBIP_URL:/]],
  ['credentials in an address', { INFOBIP_URL: 'https://me:secret@x.api.infobip.com' }, [/^INFOBIP_URL: must be/]],
  [
    'the word App copied along',
    { INFOBIP_API_KEY: `App ${'k'.repeat(40)}` },
    ['INFOBIP_API_KEY: must be an API key without the word App, without spaces'],
  ],
  ['the word Bearer copied along', { WHATSAPP_TOKEN: 'Bearer t' }, [/^WHATSAPP_TOKEN:.* without spaces$/]],
  ['a token in two parts', { TWILIO_AUTH_TOKEN: 'ab cd' }, [/^TWILIO_AUTH_TOKEN:.* without spaces$/]],
  ['a line break in a key', { INFOBIP_API_KEY: 'a\nb' }, [/^INFOBIP_API_KEY:/]],
  [
    'everything at once',
    {
      MESSAGING: 'twilio',
      TWILIO_ACCOUNT_SID: 'x',
      TWILIO_SMS_FROM: 'much too long a name',
      TWILIO_CONTENT_CODE: 'HX1',
      PORT: '0',
    },
    [/^PORT:/, /^TWILIO_ACCOUNT_SID:/, /^TWILIO_SMS_FROM:/, /^TWILIO_CONTENT_CODE:/, /^TWILIO_AUTH_TOKEN:/],
  ],
  ...(
    [
      ['no JSON', '{to}', [/must be a JSON object/]],
      ['a list', '["{{to}}","{{text}}"]', [/must be a JSON object/]],
      ['no number', '{"a":"{{text}}"}', [/where the number goes/]],
      ['no text', '{"a":"{{to}}"}', [/where the text goes/]],
      ['an unknown word', '{"a":"{{to}}{{text}}{{password}}"}', [/there is no \{\{password\}\}; there are to, digits/]],
    ] as const
  ).map(([name, body, lines]): [string, Record<string, string>, RegExp[]] => [
    `a body with ${name}`,
    { MESSAGING: 'http', MESSAGING_HTTP_URL: 'https://a.b/c', MESSAGING_HTTP_BODY: body },
    [...lines],
  ]),
]
for (const [name, env, lines] of refused)
  test(name, () => {
    const problems = told(env)
    expect(problems).toHaveLength(lines.length)
    for (const line of lines)
      expect(problems.some((p) => (typeof line === 'string' ? p === line : line.test(p)))).toBe(true)
    // No value is repeated: it may be a secret.
    expect(problems.join()).not.toContain('secret')
  })

const taken: [name: string, env: Record<string, string>][] = [
  ['nothing: the log', {}],
  ['infobip, SMS alone', { MESSAGING: 'infobip', INFOBIP_SMS_SENDER: 'Loyer', ...INFOBIP }],
  [
    'twilio with a template for each language',
    {
      MESSAGING: 'twilio',
      TWILIO_ACCOUNT_SID: SID,
      TWILIO_AUTH_TOKEN: 't',
      TWILIO_WHATSAPP_FROM: '+14155238886',
      TWILIO_CONTENT_CODE: `fr=${HX},en=${HX}`,
      TWILIO_CONTENT_NEWS: HX,
    },
  ],
  ['http with its own body', { MESSAGING: 'http', MESSAGING_HTTP_URL: 'https://a.b/c' }],
]
for (const [name, env] of taken) test(`good: ${name}`, () => expect(told(env)).toEqual([]))

test('a secret from a file, without its last line break; not both', () => {
  const folder = temporaryFolder('messaging-config')
  const path = join(folder, 'key')
  writeFileSync(path, 'from-a-file\n')
  const env = {
    MESSAGING: 'infobip',
    INFOBIP_URL: INFOBIP.INFOBIP_URL,
    INFOBIP_SMS_SENDER: 'Loyer',
    INFOBIP_API_KEY_FILE: path,
  }
  expect(loadConfig(env).messaging.infobip?.apiKey).toBe('from-a-file')
  expect(told({ ...env, INFOBIP_API_KEY: 'k' })).toEqual(['INFOBIP_API_KEY: set it or INFOBIP_API_KEY_FILE, not both'])
})
