import { call } from './commands/call.ts'
import { troubleOf } from './commands/trouble.ts'

try {
  const lines = await call(process.argv.slice(2))
  if (lines !== undefined) process.stdout.write(`${lines}\n`)
} catch (e) {
  const { lines, exitCode } = troubleOf(e)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(exitCode)
}
