import { parseArgs } from 'node:util'

/** `--rounds N`, or as many as the bar asks for. */
export function roundsOr(usual: number): number {
  const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
  const rounds = Number(values.rounds ?? usual)
  if (Number.isInteger(rounds) && rounds > 0) return rounds
  process.stderr.write('--rounds takes a whole number from 1\n')
  process.exit(64)
}

/** Prints what was counted and ends with 1 when a rule was broken. */
export function report(name: string, seen: object, rules: Readonly<Record<string, boolean>>): void {
  process.stdout.write(`${name}: ${JSON.stringify(seen, null, 2)}\n`)
  const broken = Object.entries(rules).filter(([, holds]) => !holds)
  for (const [rule, holds] of Object.entries(rules)) process.stdout.write(`${holds ? 'ok  ' : 'FAIL'}  ${rule}\n`)
  if (broken.length > 0) process.exitCode = 1
}
