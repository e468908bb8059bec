// Builds one entry into dist/ui, which scripts/embed.ts packs: `vite build -c src/ui/vite.config.ts --mode portal`. Each has
// its own build, so that nothing which only the other needs travels to a phone.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import { build, defineConfig, type Plugin } from 'vite'

const server = 'http://localhost:3000'

/**
 * What signs in stands in the page, once its issuer is known and before a style could hold it up: as a file of its own it
 * would come a round trip later. The server names its hash in the page's policy.
 */
const boot = (): Plugin => {
  let isBuild = false
  const built = async (): Promise<string> => {
    const output = await build({
      configFile: false,
      logLevel: 'warn',
      build: {
        write: false,
        rolldownOptions: { input: join(import.meta.dirname, 'shared/boot.ts'), output: { format: 'iife' } },
      },
    })
    const [chunk] = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
    if (chunk?.type !== 'chunk') throw new Error('No script was built')
    return `<script>${chunk.code.trim().replaceAll('</', String.raw`<\/`)}</script>`
  }
  return {
    name: 'boot',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const script = isBuild ? await built() : '<script type="module" src="/shared/boot.ts"></script>'
        return html.replace('<!--boot-->', () => script)
      },
    },
  }
}

/** An icon as plain SVG: the package's own component brings code that builds any icon, in all that a phone fetches first. */
const icons = (): Plugin => ({
  name: 'icons',
  enforce: 'pre',
  load(id) {
    if (!/@lucide[\\/]svelte[\\/]dist[\\/]icons[\\/][\w-]+\.svelte$/.test(id)) return
    const [, json = '[]'] = /"?node"?:\s*(\[\[[\s\S]*?\]\])/.exec(readFileSync(id, 'utf8')) ?? []
    const nodes = JSON.parse(json) as [tag: string, attributes: Record<string, string>][]
    const drawn = nodes.map(([tag, attributes]) => {
      const all = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
      return `<${tag} ${all.join(' ')} />`
    })
    return `<script>let { size = 24, class: classes } = $props()</script>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" width={size} height={size} class={classes}>${drawn.join('')}</svg>`
  },
})

/** What a phone keeps: icons under their own names, and the list of all files of this release for the worker. */
const offlineFiles = (): Plugin => ({
  name: 'offline-files',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const folder = join(import.meta.dirname, 'portal/icons')
      for (const fileName of readdirSync(folder))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, fileName)) })
      const files = Object.keys(bundle).filter((name) => /^assets\/.*\.(?:js|css)$/.test(name))
      const source = JSON.stringify(files.map((name) => `/ui/${name}`))
      this.emitFile({ type: 'asset', fileName: 'portal/files.json', source })
    },
  },
})

/** Parts that most pages of a kind share: a file of its own for each of them would be a dozen for a page. */
const SHARED = [
  [
    'lists',
    /console\/kit\/(?:List|ListFrame|listing|Chips|Pick|PropertyPick|SearchBox|common-words)\.|shared\/(?:Badge|dates)\./,
  ],
  [
    'forms',
    /kit\/changed\.|shared\/(?:form|form-words|FormBody|Field|Input|Choice|Versions|version-words|acts|digest)\./,
  ],
] as const
type Chunking = { getModuleInfo(id: string): { readonly importers: readonly string[] } | null }
/**
 * What an entry shows first is one file, which packs better than many. A browser fetches six files at a time from a
 * server: with more of them, what asks for data waits for its turn.
 */
function together(id: string, chunking: Chunking): string | null {
  /** The module and all that fetch it at once. */
  const above = new Set([id])
  for (const one of above) for (const importer of chunking.getModuleInfo(one)?.importers ?? []) above.add(importer)
  const isFirst = [...above].some((one) => /(?:portal|console)\/main\.ts$/.test(one))
  return isFirst ? 'first' : (SHARED.find(([, of]) => of.test(id))?.[0] ?? null)
}

/** What the server does with the shells: every address of an entry is its index.html, and the issuer stands in it. */
const shells = (): Plugin => ({
  name: 'shells',
  apply: 'serve',
  configureServer: ({ middlewares }) =>
    void middlewares.use((request, _response, next) => {
      const entry = /^\/(console|portal)(?:\/[^.]*)?(?:\?.*)?$/.exec(request.url ?? '')?.[1]
      if (entry !== undefined) request.url = `/${entry}/index.html`
      next()
    }),
  transformIndexHtml: (text) =>
    text.replaceAll('{{issuer}}', 'http://localhost:5173/realms/svc').replaceAll('{{provider}}', 'own'),
})

const inputs: Readonly<Record<string, readonly string[]>> = {
  console: ['console/index.html'],
  portal: ['portal/index.html', 'portal/sw.ts'],
}

export default defineConfig(({ command, mode }) => ({
  root: import.meta.dirname,
  base: command === 'build' ? '/ui/' : '/',
  appType: 'mpa',
  publicDir: false,
  plugins: [tailwindcss(), icons(), svelte(), boot(), shells(), ...(mode === 'portal' ? [offlineFiles()] : [])],
  build: {
    outDir: join(import.meta.dirname, '../../dist/ui'),
    emptyOutDir: false,
    // no data: address: the policy of the pages allows none
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: (inputs[mode] ?? []).map((name) => join(import.meta.dirname, name)),
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: together }] },
        assetFileNames: ({ names }) => (names.includes('icon.svg') ? 'icon.svg' : 'assets/[name]-[hash][extname]'),
        entryFileNames: ({ name }) => (name === 'sw' ? 'portal/sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // one origin for pages, API and sign-in, as in the binary: `scripts/dev.ts` gives the server this PUBLIC_URL
    proxy: Object.fromEntries(
      ['/api', '/realms', '/media-uploads', '/media-files', '/i/', '/r/', '/verify'].map((p) => [p, server]),
    ),
  },
}))
