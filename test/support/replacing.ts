// Replaces a program as `loyer update` does, in a process of its own that can be killed: program, new one, key, version.
import { updateProgram } from '../../src/commands/update.ts'

const [program = '', file = '', key = '', version = ''] = process.argv.slice(2)
try {
  process.stdout.write(`${updateProgram(program, file, key, version)}\n`)
} catch (e) {
  process.stdout.write(`${e instanceof Error ? e.message : String(e)}\n`)
  process.exitCode = 1
}
