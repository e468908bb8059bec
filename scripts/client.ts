// `bun scripts/client.ts [FOLDER]`: the package @loyer/client in dist/client, ready for `npm pack`.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'dist/client'))
const source = join(root, 'src/client')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const project = join(folder, 'tsconfig.json')
writeFileSync(
  project,
  JSON.stringify({
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      allowImportingTsExtensions: false,
      rootDir: source,
      outDir: folder,
      typeRoots: [join(root, 'node_modules')],
    },
    include: [],
    files: ['client.ts', 'sign-in.ts', 'upload.ts'].map((name) => join(source, name)),
  }),
)
// the types of the API, which `npm start` and `npm test` leave out
spawnSync(process.execPath, [join(root, 'scripts/embed.ts')], { stdio: 'inherit' })
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', project], { stdio: 'inherit' })
rmSync(project)
if (status !== 0) process.exit(1)

copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
for (const name of ['ten-minutes.ts', 'example.ts', 'example-app.ts']) {
  const text = readFileSync(join(source, name), 'utf8')
  writeFileSync(
    join(folder, name),
    text.replace("'./client.ts'", "'@loyer/client'").replace(/'\.\/([a-z-]+)\.ts'/g, "'@loyer/client/$1'"),
  )
}
const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
const { version, license, devDependencies } = manifest
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name: '@loyer/client',
      version,
      description: 'The API of Loyer, typed: sign-in, idempotent retries, paging, upload',
      license,
      type: 'module',
      sideEffects: false,
      main: './client.js',
      types: './client.d.ts',
      exports: { '.': entry('client'), './sign-in': entry('sign-in'), './upload': entry('upload') },
      dependencies: { 'openapi-fetch': devDependencies['openapi-fetch'] },
    },
    null,
    2,
  )}\n`,
)
process.stdout.write(`${relative(process.cwd(), folder)}  @loyer/client ${version}\n`)
