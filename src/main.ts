import { call } from './commands/call.ts'
import { troubleOf } from './commands/trouble.ts'

function fail(e: unknown): never {
  const { lines, exitCode } = troubleOf(e)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(exitCode)
}

try {
  const lines = await call(process.argv.slice(2))
  if (lines !== undefined) {
    // `loyer openapi | head` has read enough
    process.stdout.on('error', (e: NodeJS.ErrnoException) => (e.code === 'EPIPE' ? process.exit(0) : fail(e)))
    process.stdout.write(`${lines}\n`)
  }
} catch (e) {
  fail(e)
}
