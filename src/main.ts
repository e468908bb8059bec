import { call } from './commands/call.ts'
import { troubleOf } from './commands/trouble.ts'

try {
  const lines = await call(process.argv.slice(2))
  if (lines !== undefined) say(lines)
} catch (e) {
  const { lines, exitCode } = troubleOf(e)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(exitCode)
}

/** The reader of a pipe may have enough, as `| head` does; any other failure loses lines that somebody waits for. */
function say(lines: string): void {
  process.stdout.on('error', (e: NodeJS.ErrnoException) => {
    if (e.code === 'EPIPE') process.exit()
    process.stderr.write(`What the command has to say could not be written: ${e.message}\n`)
    process.exit(73)
  })
  process.stdout.write(`${lines}\n`)
}
