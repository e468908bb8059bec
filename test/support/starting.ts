// Finishes what was cut off in a data folder and opens its database, as a service that is not root: folder, number of its user.
import Database from 'better-sqlite3'
import { openStore } from '../../db/open.ts'
import { finishCutOff } from '../../src/commands/swap.ts'
import { troubleOf } from '../../src/commands/trouble.ts'

const [data = '', user = ''] = process.argv.slice(2)
// Loaded before root is given up: the checkout may be one that only root can read.
new Database(':memory:').close()
process.setgid?.(Number(user))
process.setuid?.(Number(user))
try {
  const databaseFile = `${data}/loyer.db`
  finishCutOff({ dataDir: data, databaseFile })
  await openStore(databaseFile).close()
} catch (e) {
  const { lines, exitCode } = troubleOf(e)
  process.stdout.write(lines.join('\n'))
  process.exitCode = exitCode
}
