// The import directions as tables; test/architecture.test.ts holds every file against them.

/** Area of a file: the first pattern that fits. */
const areas: [name: string, pattern: RegExp][] = [
  ['main', /^src\/main\.ts$/],
  ['commands', /^src\/commands\//],
  ['app', /^src\/(app|base)\.ts$/],
  // what everything gets, as types alone, so that nothing depends on how it is made
  ['deps', /^src\/deps\.ts$/],
  ['wiring', /^src\/(wiring|keys)\.ts$/],
  ['time', /^src\/time\.ts$/],
  ['openapi', /^src\/openapi\.ts$/],
  ['config', /^src\/config(\/\w+)?\.ts$/],
  ['errors', /^src\/(errors|error-codes)\.ts$/],
  ['log', /^src\/log\.ts$/],
  ['core', /^src\/core\//],
  ['context', /^src\/context\.ts$/],
  ['changes', /^src\/changes\/(record|members)\.ts$/],
  ['listeners', /^src\/changes\/registry\.ts$/],
  ['http', /^src\/http\//],
  // the sandbox's movable clock and readable inbox take the place of two adapters, over a table of their own
  ['stand-in', /^src\/features\/system\/demo\/(clock|messenger)\.ts$/],
  // lives through months of use, jobs and messages included
  ['seed', /^src\/features\/system\/demo\/(seed|showpieces)\.ts$/],
  ['group', /^src\/features\/[\w-]+\.ts$/],
  ['rules', /^src\/features\/[\w-]+\/[\w-]+\/rules\.ts$/],
  ['model', /^src\/features\/[\w-]+\/[\w-]+\/model\.ts$/],
  ['routes', /^src\/features\/[\w-]+\/[\w-]+\/routes\.ts$/],
  ['store', /^src\/features\/[\w-]+\/[\w-]+\/store\.ts$/],
  ['texts', /^src\/features\/[\w-]+\/[\w-]+\/texts\.ts$/],
  ['handlers', /^src\/features\/[\w-]+\/[\w-]+\/jobs\.ts$/],
  // use cases, a file for each group of them
  ['service', /^src\/features\/[\w-]+\/[\w-]+\/[\w-]+\.ts$/],
  ['port', /^src\/adapters\/[\w-]+\/port\.ts$/],
  // the claims of a verified token are what the rest of the service knows of identity
  ['verifier', /^src\/adapters\/identity\/verify\.ts$/],
  ['embedded', /^src\/adapters\/identity\/(embedded|keycloak)\//],
  // the checking thread and the one that copies a long log open the file themselves
  ['reading-thread', /^src\/adapters\/(checkpoints|integrity)\/worker\.ts$/],
  // backups copy, open and replace the database file
  ['backups', /^src\/adapters\/backups\/(?!port)/],
  // the threads that write aside and that read for long run the same functions, with what those need of the outside
  ['job-thread', /^src\/adapters\/(aside|reads)\/worker\.ts$/],
  // what several adapters need of the outside
  ['shared', /^src\/adapters\/(threads|s3)\.ts$/],
  ['adapter', /^src\/adapters\//],
  ['registry', /^src\/jobs\/(registry|asides)\.ts$/],
  ['jobs', /^src\/jobs\//],
  ['web', /^src\/web\//],
  // it knows of the service what the OpenAPI document says, and nothing else
  ['client', /^src\/client\//],
  // it runs in browsers, and asks the service as any client does
  ['ui', /^src\/ui\//],
  ['schema', /^db\/schema\//],
  // the one writer of app_user, shared by the feature and the identity providers
  ['user-rows', /^db\/users\.ts$/],
  ['db', /^db\//],
  ['scripts', /^scripts\//],
  ['test', /^test\//],
]
export const areaOf = (path: string): string => areas.find(([, pattern]) => pattern.test(path))?.[0] ?? 'nowhere'

/** What each area may import at run time; `own x` means of the same feature or adapter. */
const mayImport: Record<string, string[]> = {
  main: ['*'],
  commands: ['*'],
  app: ['app', 'group', 'http', 'context', 'web', 'deps', 'errors'],
  group: ['routes', 'http'],
  deps: ['adapter', 'embedded', 'http', 'texts'],
  time: ['db', 'core'],
  wiring: [
    'wiring',
    'time',
    'texts',
    'adapter',
    'embedded',
    'backups',
    'verifier',
    'stand-in',
    'port',
    'http',
    'context',
    'service',
    'changes',
    'listeners',
    'config',
    'log',
    'core',
    'errors',
    'db',
  ],
  openapi: ['app', 'wiring', 'config', 'http', 'context', 'log', 'core', 'errors', 'db'],
  config: ['config', 'core', 'errors'],
  errors: ['errors'],
  log: ['core', 'errors'],
  core: ['core'],
  context: ['core'],
  // the audit trail knows nobody who listens to it
  changes: ['changes', 'db', 'schema', 'context', 'core', 'errors'],
  listeners: ['changes', 'service'],
  http: ['http', 'context', 'web', 'core', 'errors', 'db', 'schema'],
  rules: ['core'],
  // what two features show alike is written once
  model: ['http', 'rules', 'model', 'core'],
  // a report is made by the same job for a database in memory, which no thread can share
  routes: [
    'model',
    'rules',
    'own service',
    'own handlers',
    'own texts',
    'store',
    'jobs',
    'http',
    'context',
    'web',
    'core',
    'errors',
  ],
  // rules are pure: another feature's may be asked, its state only through its service
  service: ['rules', 'texts', 'store', 'service', 'user-rows', 'changes', 'jobs', 'context', 'core', 'errors'],
  store: ['own rules', 'db', 'schema', 'core', 'errors'],
  texts: ['own rules', 'core'],
  // an import judges its rows by the very schemas of the routes
  handlers: [
    'rules',
    'texts',
    'store',
    'service',
    'model',
    'http',
    'changes',
    'jobs',
    'context',
    'db',
    'core',
    'errors',
  ],
  port: ['core', 'errors'],
  // the identity providers keep tables: the embedded one its own, both write the rows of users
  embedded: ['own port', 'own adapter', 'own embedded', 'user-rows', 'db', 'schema', 'core', 'errors'],
  shared: ['errors'],
  adapter: ['shared', 'own port', 'own verifier', 'own adapter', 'own embedded', 'core', 'errors'],
  'reading-thread': ['shared', 'own adapter', 'db'],
  backups: ['shared', 'own port', 'own backups', 'db', 'core', 'errors'],
  'job-thread': [
    'shared',
    'own adapter',
    'adapter',
    'handlers',
    'registry',
    'changes',
    'listeners',
    'context',
    'db',
    'core',
    'errors',
  ],
  verifier: ['own port', 'own adapter', 'core', 'errors'],
  'stand-in': ['own store', 'port', 'db', 'core', 'errors'],
  jobs: ['jobs', 'registry', 'handlers', 'context', 'db', 'schema', 'core', 'errors'],
  registry: ['jobs', 'handlers', 'http', 'context', 'db'],
  web: ['web', 'core', 'errors'],
  client: ['client'],
  ui: ['ui', 'client'],
  schema: ['schema', 'rules', 'core'],
  seed: ['*'],
  'user-rows': ['db', 'schema'],
  db: ['db', 'schema', 'errors', 'core'],
  scripts: ['*'],
  test: ['*'],
}
/** Erased at run time, and so free wherever anything may be imported at all. */
const types = [
  'deps',
  'time',
  'config',
  'log',
  'context',
  'port',
  'verifier',
  'db',
  'schema',
  'core',
  'errors',
  'model',
  'own store',
]
export const pure = ['errors', 'core', 'rules', 'texts']

/** Feature (`money/invoices`) or adapter of a file; its path where it belongs to none. */
export const featureOf = (path: string): string =>
  /^src\/(?:features|adapters)\/((?<=features\/)[\w-]+\/[\w-]+|(?<=adapters\/)[\w-]+)\//.exec(path)?.[1] ?? path

/** Groups of features from the bottom: each may import those before it. */
const GROUPS = ['people', 'property', 'papers', 'lease', 'money', 'news', 'data', 'system']
/** How high a feature's group stands; nothing for a file of no feature. @throws Error for a group that is not listed */
export function heightOf(path: string): number | undefined {
  const [, group] = /^src\/features\/([\w-]+)\//.exec(path) ?? []
  if (group === undefined) return undefined
  if (!GROUPS.includes(group)) throw new Error(`no group ${group}`)
  return GROUPS.indexOf(group)
}

export const allowed = (from: string, to: string, typeOnly: boolean): boolean => {
  // what is no code: text of a migration, package.json
  if (!to.endsWith('.ts')) return true
  const area = areaOf(from)
  const list = [...(mayImport[area] ?? []), ...(typeOnly && !pure.includes(area) ? types : [])]
  const target = areaOf(to)
  return (
    list.includes('*') || list.includes(target) || (list.includes(`own ${target}`) && featureOf(from) === featureOf(to))
  )
}

/** Packages that only some files may import. Whatever is not named here is free outside the pure areas. */
export const packages: [pattern: RegExp, areas: string[]][] = [
  [/^(elysia|@elysiajs\/)/, ['group', 'routes', 'model', 'http', 'app', 'web', 'scripts', 'test']],
  [/^drizzle-orm(\/|$)/, ['store', 'schema', 'user-rows', 'db', 'embedded', 'jobs', 'http', 'scripts', 'test']],
  [/^better-sqlite3/, ['db', 'main', 'commands', 'scripts', 'test']],
  [/^oidc-provider/, ['embedded', 'test']],
  [/^@node-rs\/argon2/, ['adapter', 'test']],
  [/^bun(:|$)/, ['main', 'commands', 'scripts', 'test']],
]
