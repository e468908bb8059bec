// Rolls back as `loyer rollback` does, in a process of its own that can be killed: data folder, program.
import { rollBack } from '../../src/commands/restore.ts'
import { commandLine } from './backups.ts'

const [data = '', program = ''] = process.argv.slice(2)
process.stdout.write('begins\n')
process.stdout.write(`${await rollBack(commandLine(data), program)}\n`)
