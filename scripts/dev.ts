// `npm run dev`: a sandbox that restarts, and the pages with hot reload in front of it, all at one address.
import { join } from 'node:path'
import { createServer } from 'vite'

const root = join(import.meta.dirname, '..')
const pages = await createServer({ configFile: join(root, 'src/ui/vite.config.ts') })
await pages.listen()
pages.printUrls()
const api = Bun.spawn([process.execPath, '--watch', 'src/main.ts', 'demo'], {
  cwd: root,
  // the issuer stands in tokens: it has to be the address that the browser sees
  env: { ...process.env, PORT: '3000', PUBLIC_URL: 'http://localhost:5173' },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.on('SIGINT', () => void api.kill())
await api.exited
await pages.close()
