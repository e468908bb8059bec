// Reports over a year of one organization with 5,000 units, as their caller gets them.
import { join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { fillReported } from './fill.ts'
import { serve } from './servers.ts'

const NAMES = ['rent-roll', 'arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement']
const YEAR = 'from=2022-01-01&to=2022-12-31'
const TIMES = 7

/** Median time from the request to the last byte of each report. */
export async function reported(data: string, issuer: string, token: string) {
  const store = openStore(join(data, 'loyer.db'))
  fillReported(store.client)
  await store.close()
  const { port, stop } = await serve(data, issuer)
  const found: { name: string; ms: number; rows: number }[] = []
  for (const name of NAMES) {
    const times: number[] = []
    let rows = 0
    for (let i = 0; i < TIMES; i++) {
      const began = performance.now()
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/reports/${name}?${YEAR}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      const text = await answer.text()
      times.push(performance.now() - began)
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text.slice(0, 200)}`)
      rows = (JSON.parse(text) as { totals: { rows: number } }).totals.rows
    }
    times.sort((a, b) => a - b)
    found.push({ name, ms: times[Math.floor(TIMES / 2)] ?? Number.NaN, rows })
  }
  await stop()
  return found
}
