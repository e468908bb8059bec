// Papers come by themselves: drawn in a worker, downloaded by a signed link, checked by anybody.
import assert from 'node:assert/strict'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Scenario, World } from './scenarios.ts'

type Json = Record<string, unknown>
const get = async ({ call, token }: World, path: string) => {
  const answer = await call('GET', path, { token })
  assert.equal(answer.status, 200, `${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer
}

const download = async (world: World, id: string): Promise<Uint8Array<ArrayBuffer>> => {
  const { json } = await get(world, `/api/v1/documents/${id}/download-url`)
  const answer = await fetch(String(json.url))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+\.pdf"/)
  return new Uint8Array(await answer.arrayBuffer())
}
const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')

export const paperScenarios: Scenario[] = [
  {
    name: 'lease, invoice, receipt and statement are drawn, tagged and frozen',
    run: async (world) => {
      const path = `/api/v1/documents?order=asc&bookingId=${world.ids.bookings}`
      const deadline = Date.now() + 120_000
      let list: Json[] = []
      while (Date.now() < deadline) {
        list = (await get(world, path)).list
        if (list.length >= 6 && list.every((d) => d.status === 'READY')) break
        await Bun.sleep(200)
      }
      const standing = list.filter((d) => d.voidedAt === undefined).map((d) => `${d.kind} ${d.status}`)
      for (const kind of ['LEASE_CONTRACT', 'INVOICE', 'RECEIPT', 'STATEMENT'])
        assert.ok(standing.includes(`${kind} READY`), `${kind} is missing in ${JSON.stringify(standing)}`)
      for (const { id, sha256: hash, sizeBytes } of list) {
        const bytes = await download(world, String(id))
        assert.equal(await sha256(bytes), hash)
        assert.ok(Number(sizeBytes) < 60 * 1024, `${sizeBytes} bytes`)
        assert.match(new TextDecoder('latin1').decode(bytes), /^%PDF-1\.7/)
        const pdf = await getDocumentProxy(bytes)
        assert.equal((await pdf.getMarkInfo())?.Marked, true, 'not tagged')
        assert.match((await extractText(pdf, { mergePages: true })).text, /FCFA/)
      }
      // The end of the lease credited a part of the month: the receipt says so, and replaced the first one.
      const receipt = list.find((d) => d.kind === 'RECEIPT' && d.voidedAt === undefined)
      world.ids.receipts = String(receipt?.id)
    },
  },
  {
    name: '/verify of the receipt: genuine; of a guess: unknown',
    run: async (world) => {
      const { json } = await get(world, `/api/v1/documents/${world.ids.receipts}`)
      const known = await world.call('GET', `/verify/${json.verificationCode}?lang=en&sha256=${json.sha256}`)
      assert.equal(known.status, 200)
      assert.match(known.text, /genuine[\s\S]*identical to the original/)
      const guess = await world.call('GET', '/verify/00000000000000000000000000')
      assert.equal(guess.status, 404)
    },
  },
  {
    name: 'a preview of the clauses is a PDF',
    run: async ({ call, token }) => {
      const answer = await call('POST', '/api/v1/lease-templates/BUSINESS/preview', { token, body: { locale: 'fr' } })
      assert.equal(answer.status, 200)
      assert.match(answer.text, /^%PDF-1\.7/)
    },
  },
]

export const papersAfterRestart: Scenario = {
  name: 'restart: the receipt is still the same file',
  run: async (world) => {
    const { json } = await get(world, `/api/v1/documents/${world.ids.receipts}`)
    assert.equal(await sha256(await download(world, String(world.ids.receipts))), json.sha256)
  },
}
