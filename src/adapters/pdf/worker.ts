// The drawing thread: one message in, one paper out.
import { parentPort } from 'node:worker_threads'
import { draw } from './draw.ts'
import type { Ask, Reply } from './pool.ts'
import type { Papers, Seal, Template } from './port.ts'

parentPort?.on('message', ({ template, data, seal }: Ask) => {
  draw(template as Template, data as Papers[Template], seal as Seal).then(
    (bytes) => parentPort?.postMessage({ bytes } satisfies Reply, [bytes.buffer]),
    (e: unknown) =>
      parentPort?.postMessage({ error: e instanceof Error ? `${e.name}: ${e.message}` : String(e) } satisfies Reply),
  )
})
