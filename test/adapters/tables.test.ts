// Spreadsheets and sheets of text as office programs write them, and those that are made to do harm.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { zip } from '../../src/adapters/archive/zip.ts'
import { createAside } from '../../src/adapters/aside/thread.ts'
import { createTables } from '../../src/adapters/tables/tables.ts'
import type { AppError } from '../../src/errors.ts'
import { temporaryFolder } from '../support/folder.ts'
import { type Book, grid, times, workbook, wrapped as wrap } from '../support/spreadsheets.ts'

const rest = async () => {}
const tables = createTables(zip)
const said = async (bytes: Uint8Array, maxRows = 100): Promise<string> => {
  try {
    return JSON.stringify((await tables.read(new Uint8Array(bytes), maxRows, rest)).rows)
  } catch (e) {
    const { details } = e as { details?: { errors?: { message: { en: string } }[] } }
    return details?.errors?.[0]?.message.en ?? String(e)
  }
}
const UNREADABLE = 'The characters of this file cannot be read. Save it as "CSV UTF-8" and try again.'
const BROKEN = 'This is no CSV or XLSX file, or it is damaged.'

const inline = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
const cell = (at: string, value = '<v>1</v>') => `<row r="${/\d+/.exec(at)?.[0]}"><c r="${at}">${value}</c></row>`
const DATES =
  '<numFmts><numFmt numFmtId="164" formatCode="[$-40C]d\\ mmmm\\ yyyy"/><numFmt numFmtId="165" formatCode="#,##0&quot; dh&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>'
test.each<[string, Book, string[][]]>([
  [
    'shared texts, also in pieces, with what is only how they are spoken left out',
    {
      texts:
        '<si><t>a &amp; b</t></si><si><r><t>x</t></r><r><t xml:space="preserve"> y</t></r><rPh><t>no</t></rPh></si>',
      sheet: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>',
    },
    [['a & b', '', 'x y']],
  ],
  [
    'dates by their format, and numbers that only have a d in it',
    {
      styles: DATES,
      sheet:
        '<row r="1"><c r="A1" s="1"><v>46022</v></c><c r="B1" s="2"><v>46022</v></c><c r="C1" s="3"><v>46022</v></c><c r="D1" s="0"><v>1.5E5</v></c></row>',
    },
    [['2025-12-31', '2025-12-31', '46022', '150000']],
  ],
  [
    'the calendar of old Macs',
    {
      workbook: '<workbookPr date1904="1"/>',
      styles: DATES,
      sheet: '<row r="1"><c r="A1" s="1"><v>44560</v></c></row>',
    },
    [['2025-12-31']],
  ],
  [
    'rows and cells without references, truths, formulas with what they gave, errors',
    {
      sheet:
        '<row><c t="b"><v>1</v></c><c t="str"><f>A1&amp;"x"</f><v>yes</v></c><c t="e"><v>#REF!</v></c></row><row><c><v>2</v></c></row>',
    },
    [['true', 'yes', '#REF!'], ['2']],
  ],
  [
    'rows left out, names with a prefix, comments, marks within attributes',
    {
      sheet: `<!-- <row r="9"> --><x:row r="3" x="a>b"><x:c r='B3'><x:v>7</x:v></x:c></x:row><row r="40"/>`,
    },
    [[], [], ['', '7']],
  ],
  ['escaped characters', { sheet: `<row r="1">${inline('A1', '&#233;&#xE9;&lt;_x0041_')}</row>` }, [['éé<A']]],
  ['a coloured cell far away', { sheet: cell('XFD1048576', '') }, []],
  ['300,000 rows without a cell', { sheet: times(300_000, (i) => `<row r="${i + 1}"/>`) }, []],
])('a spreadsheet with %s', async (_name, book, rows) => {
  expect(await said(await workbook(book))).toBe(JSON.stringify(rows))
})

const CHARACTERS = 'The cells have more than 6000000 characters together.'
const TOO_MUCH = 'The file unpacks to too much.'
const REACHES = 'The sheet reaches to cell'
const CELLS = 'More than 420000 cells are filled in.'
test.each<[string, Book, string]>([
  ['the last cell there is', { sheet: cell('XFD1048576') }, REACHES],
  ['one in a row too many, its formula not computed', { sheet: cell('A102', '<f>A1</f>') }, REACHES],
  ['a row too many', { sheet: cell('A102') }, REACHES],
  ['a column too many', { sheet: cell('CW1') }, REACHES],
  ['a column too many, its place not said', { sheet: `<row>${'<c><v>1</v></c>'.repeat(101)}</row>` }, REACHES],
  ['a row too many, its place not said', { sheet: '<row><c><v>1</v></c></row>'.repeat(102) }, REACHES],
  ['a number of a row beyond numbers', { sheet: '<row r="99999999999999999999"><c><v>1</v></c></row>' }, BROKEN],
  ['a row given twice', { sheet: cell('A1') + cell('A1') }, BROKEN],
  ['a cell given twice', { sheet: '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>1</v></c></row>' }, BROKEN],
  ['a cell of another row', { sheet: '<row r="1"><c r="A9"><v>1</v></c></row>' }, BROKEN],
  ['a text that is not there', { sheet: '<row r="1"><c r="A1" t="s"><v>7</v></c></row>' }, BROKEN],
  [
    'entities of its own, one in the other',
    {
      sheet: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row r="1">${inline('A1', '&b;')}</row></sheetData></worksheet>`,
    },
    BROKEN,
  ],
  ['an entity from nowhere', { sheet: `<row r="1">${inline('A1', '&lol;')}</row>` }, BROKEN],
  ['an attribute without end', { sheet: `<row r="${'1'.repeat(70_000)}"` }, BROKEN],
  ['a comment without end', { sheet: times(200, `<!-- ${' '.repeat(1000)}`) }, BROKEN],
  [
    'a text of a million characters',
    { sheet: `<row r="1">${inline('A1', 'x'.repeat(1e6))}</row>` },
    'A cell has more than 32767 characters.',
  ],
  [
    'a shared text of 64 MB',
    { texts: wrap('<si><t>', times(64, '0'.repeat(2 ** 20)), '</t></si>') },
    'A cell has more than 32767 characters.',
  ],
  ['shared texts of 64 MB', { texts: times(2048, `<si><t>${'0'.repeat(32_000)}</t></si>`) }, CHARACTERS],
  [
    'a text of 30,000 characters, shared by 250 cells',
    {
      texts: `<si><t>${'0'.repeat(30_000)}</t></si>`,
      sheet: times(50, (i) => `<row r="${i + 1}">${'<c t="s"><v>0</v></c>'.repeat(5)}</row>`),
    },
    CHARACTERS,
  ],
  ['shared texts without number', { texts: times(420_001, '<si/>') }, TOO_MUCH],
  ['formats without number', { styles: wrap('<cellXfs>', times(100_000, '<xf/>'), '</cellXfs>') }, TOO_MUCH],
  ['64 MB of nothing', { sheet: times(64, ' '.repeat(2 ** 20)) }, TOO_MUCH],
  [
    'ten thousand parts',
    { more: Array.from({ length: 10_000 }, (_, i) => ({ name: `${i}.xml`, content: 'x' })) },
    TOO_MUCH,
  ],
  ['a sheet given twice', { more: [{ name: 'xl/worksheets/sheet1.xml', content: '<worksheet/>' }] }, BROKEN],
  ['as many cells as a hundred rows hold', { sheet: grid(101, 100), texts: '' }, 'ok'],
])('%s is refused, with a sentence', async (_name, book, sentence) => {
  const bytes = await workbook(book)
  const answer = await said(bytes)
  if (sentence === 'ok') expect(JSON.parse(answer)).toHaveLength(101)
  else expect(answer).toContain(sentence)
})

test('as many cells filled in as may be, and more', async () => {
  expect(await said(await workbook({ sheet: grid(4201, 100) }), 20_000)).toContain(CELLS)
  expect(JSON.parse(await said(await workbook({ sheet: grid(4200, 100) }), 20_000))).toHaveLength(4200)
}, 60_000)

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
test('of several sheets the first wanted one is read, else the first visible one; the others are named', async () => {
  const sheets = [
    ['Caché', 'hidden', '<row r="1"><c r="A1"><v>1</v></c></row>'],
    ['Lisez-moi', 'visible', '<row r="1"><c r="A1"><v>2</v></c></row>'],
    [
      'Baux',
      'visible',
      '<row r="1"><c r="A1"><v>3</v></c><c r="B1"><f>A1</f></c></row><row r="2" hidden="1"><c r="A2"><v>4</v></c></row><row r="3"><c r="A3"><v>5</v></c></row>',
    ],
  ] as const
  const bytes = new Uint8Array(
    await new Response(
      zip(
        [
          {
            name: 'xl/workbook.xml',
            content: `<workbook xmlns:r="${OFFICE}"><sheets>${sheets.map(([name, state], i) => `<sheet name="${name}" state="${state}" r:id="r${i}"/>`).join('')}</sheets></workbook>`,
          },
          {
            name: 'xl/_rels/workbook.xml.rels',
            content: `<Relationships>${sheets.map((_, i) => `<Relationship Id="r${i}" Target="worksheets/sheet${i}.xml"/>`).join('')}</Relationships>`,
          },
          ...sheets.map(([, , rows], i) => ({
            name: `xl/worksheets/sheet${i}.xml`,
            content: `<worksheet><sheetData>${rows}</sheetData><mergeCells><mergeCell ref="A1:A1048576"/><mergeCell ref="B1:C1"/></mergeCells></worksheet>`,
          })),
        ],
        new Date('2026-01-01T00:00:00Z'),
      ),
    ).arrayBuffer(),
  )
  expect(await tables.read(bytes, 100, rest)).toMatchObject({ name: 'Lisez-moi', isHidden: false, rows: [['2']] })
  expect(await tables.read(bytes, 100, rest, { isWanted: () => false })).toMatchObject({ name: 'Lisez-moi' })
  expect(await tables.read(bytes, 100, rest, { isWanted: ({ name }) => name === 'Caché' })).toMatchObject({
    isHidden: true,
  })
  // A long sheet of something else is no reason to refuse the file.
  expect(await tables.read(bytes, 0, rest)).toMatchObject({ name: 'Lisez-moi' })
  expect(await tables.read(bytes, 100, rest, { isWanted: ({ rows }) => rows.length > 2 })).toEqual({
    name: 'Baux',
    isHidden: false,
    rows: [['3', ''], ['4'], ['5']],
    hiddenLines: new Set([1]),
    // Within the rows that there are, and only those that reach down.
    merged: [{ column: 0, from: 0, to: 2 }],
    uncomputed: new Set(['0:1']),
    others: [
      { name: 'Caché', isHidden: true },
      { name: 'Lisez-moi', isHidden: false },
    ],
  })
})

const ole = (name: string) => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(name, 'utf16le')])
test.each<[string, Uint8Array, string]>([
  ['an old workbook', ole('Workbook'), 'old Excel format'],
  ['a workbook with a password', ole('EncryptedPackage'), 'protected by a password'],
  ['OpenDocument', Buffer.from('PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'OpenDocument'],
  ['a PDF', Buffer.from('%PDF-1.7'), 'picture or a PDF'],
  ['a web page named .xls', Buffer.from('\n<html><table>'), 'web page or XML'],
])('%s is named as what it is', async (_name, bytes, sentence) => {
  expect(await said(bytes)).toContain(sentence)
})

test('what a program left uncomputed is known by its zeros; computed zeros stay', async () => {
  const sheet = '<row r="1"><c r="A1"><f>B1</f><v>0</v></c><c r="B1"><v>0</v></c></row>'
  const read = async (after: string) => tables.read(await workbook({ sheet, workbook: after }), 100, rest)
  expect((await read('<calcPr fullCalcOnLoad="1"/>')).uncomputed).toEqual(new Set(['0:0']))
  expect((await read('')).uncomputed.size).toBe(0)
})

test.each([
  ['a title with commas above', 'Loyers, Makepe, 2026\n\nNom;Ville\nAli;Douala\n'],
  ['commas in every cell', 'Nom;Ville\n"a;b;c";Douala, Makepe, Bloc 2\nx;Yaoundé, Bastos, 1\n'],
])('the delimiter is found under %s', async (_name, csv) => {
  expect(JSON.parse(await said(Buffer.from(csv))).filter((row: string[]) => row.length === 2).length).toBeGreaterThan(1)
})

test('formats that are a flood of brackets take no time', async () => {
  const flood = `<numFmts>${`<numFmt numFmtId="164" formatCode="${'['.repeat(60_000)}d"/>`.repeat(40)}</numFmts>`
  const bytes = await workbook({ styles: flood, sheet: cell('A1') })
  const began = performance.now()
  expect(await said(bytes)).toBe('[["1"]]')
  expect(performance.now() - began).toBeLessThan(5000)
}, 120_000)

test('a header that tells less than there is changes nothing', async () => {
  const bomb = Buffer.from(await workbook({ sheet: times(64, ' '.repeat(2 ** 20)) }))
  // The sizes in the directory at the end.
  const at = bomb.lastIndexOf(Buffer.from('PK\x01\x02'))
  bomb.writeUInt32LE(100, at + 24)
  expect(await said(bomb)).toBe(TOO_MUCH)
})

const MIB20 = 20 * 2 ** 20
test.each<[string, Uint8Array, string]>([
  ['commas', Buffer.alloc(MIB20, ','), 'A row has more than 100 columns.'],
  ['quotes', Buffer.alloc(MIB20, '"'), 'A cell has more than 32767 characters.'],
  ['an open quote', Buffer.from(`"${'x'.repeat(MIB20 - 1)}`), BROKEN],
  ['one cell', Buffer.alloc(MIB20, 'x'), 'A cell has more than 32767 characters.'],
  ['one cell in quotes', Buffer.from(`"${'x'.repeat(MIB20 - 2)}"`), 'A cell has more than 32767 characters.'],
  ['newlines', Buffer.alloc(MIB20, '\n'), '[]'],
  ['newlines, then a row', Buffer.from(`${'\n'.repeat(MIB20 - 1)}x`), 'The file has more than 20000 rows.'],
  ['short cells', Buffer.from('ab,cd\n'.repeat(MIB20 / 6)), 'The file has more than 20000 rows.'],
  ['full rows', Buffer.from(`${'ab,'.repeat(99)}ab\n`.repeat(20_000)), CELLS],
  ['UTF-16', Buffer.from(`\ufeff${'é,'.repeat(MIB20 / 4 - 1)}`, 'utf16le'), 'A row has more than 100 columns.'],
  ['long cells', Buffer.from(`${'x'.repeat(499)},${'x'.repeat(499)}\n`.repeat(20_000)), CHARACTERS],
  ['as many characters as may be', Buffer.from(`${'x'.repeat(149)},"${'é'.repeat(151)}"\n`.repeat(20_000)), '[["x'],
  ['NULs', Buffer.alloc(MIB20), UNREADABLE],
])('20 MiB of %s', async (_name, bytes, sentence) => {
  expect(await said(bytes, 20_000)).toContain(sentence)
})

const reading = new URL('../support/reading.ts', import.meta.url).pathname
test('what bombs take of memory', async () => {
  const folder = temporaryFolder('rows')
  const texts = wrap('<si><t>', times(256, '0'.repeat(2 ** 20)), '</t></si>')
  const files: Readonly<Record<string, Uint8Array>> = {
    'the last cell': await workbook({ sheet: cell('XFD1048576') }),
    '256 MB in one text': await workbook({ texts }),
    'columns too many': await workbook({ sheet: grid(20, 101) }),
    'rows without a cell': await workbook({ sheet: times(300_000, (i) => `<row r="${i + 1}"/>`) }),
    commas: Buffer.alloc(MIB20, ','),
    quotes: Buffer.alloc(MIB20, '"'),
    newlines: Buffer.alloc(MIB20, '\n'),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const file = join(folder, name)
    await Bun.write(file, bytes)
    const child = Bun.spawn([process.execPath, reading, file])
    const { mib } = JSON.parse(await new Response(child.stdout).text()) as { mib: number }
    expect(`${name} ${mib < 150 ? 'below 150 MiB' : mib}`).toBe(`${name} below 150 MiB`)
  }
}, 60_000)

test('a thread that takes more memory than it may is ended, in whatever loop it is', async () => {
  const thread = createAside({
    file: '',
    files: { dataDir: '', files: undefined },
    ahead: () => 0,
    lend: async () => () => undefined,
    start: () => new Worker(new URL('../support/hog.ts', import.meta.url)),
  })
  const memory = { most: 100 * 2 ** 20, refusal: () => new Error('takes too much memory') as AppError }
  await expect(thread.run('', {}, { memory })).rejects.toThrow('takes too much memory')
  await thread.close()
})

test('a long sheet of text comes some hundred rows at a time, and others have their turn after each', async () => {
  let turns = 0
  const rows = Array.from({ length: 1_200 }, (_, n) => [`"${n}"`, n])
  const columns = [
    { heading: 'Nom', kind: 'text' as const },
    { heading: 'Montant', kind: 'amount' as const },
  ]
  const pieces = await Array.fromAsync(
    tables.csv({ name: 'x', columns, rows }, 'fr', async () => {
      turns += 1
    }),
  )
  // No piece is the whole, which would have to be copied at once.
  expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([1, 500, 500, 200])
  expect(turns).toBe(2)
  expect(pieces[0]).toBe('\ufeffNom;Montant\r\n')
  expect(pieces.join('').split('\r\n').slice(-2)).toEqual(['"""1199""";1199', ''])
})
