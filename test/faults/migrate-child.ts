// Run by the tests as a process of its own, to be killed: brings the made-up old release up to date.
import { migrateOld } from './start-faults.ts'

const [file = ''] = process.argv.slice(2)
process.stdout.write('begins\n')
migrateOld(file)
process.stdout.write('done\n')
