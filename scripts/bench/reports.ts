// Reports over a year of one organization with 5,000 units, as their caller gets them.
import { connect } from 'node:net'
import { join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { fillReported } from './fill.ts'
import { serve } from './servers.ts'

const NAMES = ['rent-roll', 'arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement']
const YEAR = 'from=2022-01-01&to=2022-12-31'
const TIMES = 7
const STATUS = 'HTTP/1.1 200'

/** Reads an answer of 30 MB as it was sent, because unpacking it would cost this process as long as the report took. */
const lastByte = (port: number, path: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const lines = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', 'Accept-Encoding: gzip']
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${[...lines, `Authorization: Bearer ${token}`].join('\r\n')}\r\n\r\n`),
    )
    let head = ''
    socket.on('data', (bytes) => {
      if (head.length < STATUS.length) head += bytes.toString('latin1', 0, STATUS.length)
    })
    socket.once('error', reject)
    socket.once('close', () =>
      head.startsWith(STATUS) ? resolve(performance.now() - began) : reject(new Error(`no report: ${head}`)),
    )
  })

/** Median time from the request to the last byte of each report. */
export async function reported(data: string, issuer: string, token: string) {
  const store = openStore(join(data, 'loyer.db'))
  fillReported(store.client)
  await store.close()
  const { port, stop } = await serve(data, issuer)
  const results: { name: string; ms: number; rows: number }[] = []
  for (const name of NAMES) {
    const path = `/api/v1/reports/${name}?${YEAR}`
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${token}` } })
    const { rows } = ((await answer.json()) as { totals: { rows: number } }).totals
    const times: number[] = []
    for (let i = 0; i < TIMES; i++) times.push(await lastByte(port, path, token))
    times.sort((a, b) => a - b)
    results.push({ name, ms: times[Math.floor(TIMES / 2)] ?? Number.NaN, rows })
  }
  await stop()
  return results
}
