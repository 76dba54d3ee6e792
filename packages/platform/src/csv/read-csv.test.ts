import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CsvFault, type CsvRow, ROW_BYTES, readCsv } from './read-csv.ts'

/** The bytes, in pieces of this size. */
async function* pieces(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function rowsOf(bytes: Buffer | AsyncIterable<Buffer>): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const row of readCsv(Buffer.isBuffer(bytes) ? pieces(bytes) : bytes)) rows.push(row)
  return rows
}

const cellsOf = async (text: string) => (await rowsOf(Buffer.from(text))).map(({ cells }) => cells)

/** What is wrong with it. */
async function faultOf(bytes: Buffer | AsyncIterable<Buffer>): Promise<string> {
  const error = await rowsOf(bytes).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(CsvFault)
  return (error as CsvFault).message
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

test('every cell comes back, wherever the bytes are cut and whatever the line ends are', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('a,b', '"', '\r\n', 'x\ny', '\r', 'é€😀', '\ufffd', '\ufeff'),
  )
  const table = fc
    .array(fc.tuple(cell, cell, cell), { minLength: 1 })
    .filter((rows) => !rows.flat().some((text) => text.includes('\0') || !text.isWellFormed()))
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1 }),
      fc.integer({ min: 1, max: 40 }),
      async (rows, ends, size) => {
        const text = rows.map((cells, i) => cells.map(quoted).join(',') + ends[i % ends.length]).join('')
        const read = await rowsOf(pieces(Buffer.from(text), size))
        expect(read).toEqual(rows.map((cells, i) => ({ row: i + 1, cells })))
      },
    ),
    { numRuns: 300 },
  )
})

test('line ends of all kinds may be mixed; empty lines are left out, and counted', async () => {
  expect(await rowsOf(Buffer.from('a,b\r\n1,2\n\n3,4\r5,6'))).toEqual([
    { row: 1, cells: ['a', 'b'] },
    { row: 2, cells: ['1', '2'] },
    { row: 4, cells: ['3', '4'] },
    { row: 5, cells: ['5', '6'] },
  ])
})

test('a byte order mark is no part of the first cell, and of no other', async () => {
  expect(await cellsOf('\ufeffa,\ufeffb\n')).toEqual([['a', '\ufeffb']])
})

test('a file without a byte has no row', async () => {
  expect(await cellsOf('')).toEqual([])
})

test('bytes in Latin-1 are named, with their place and row', async () => {
  const text = 'email,name\na@example.com,Ren\xe9\n'
  for (const size of [1, 7, 1000]) {
    const fault = await faultOf(pieces(Buffer.from(text, 'latin1'), size))
    expect(fault).toBe('must be UTF-8: byte 28 (0xE9), in row 2, is not. Save it as "CSV UTF-8"')
  }
})

test('a replacement character that stands in the file is no fault, and hides none', async () => {
  expect(await cellsOf('\ufffd,é')).toEqual([['\ufffd', 'é']])
  const bytes = Buffer.concat([Buffer.from('\ufffd\n\ufffd,'), Buffer.from([0xc3])])
  expect(await faultOf(bytes)).toContain('byte 8 (0xC3), in row 2')
})

test('UTF-16 is refused at its first byte', async () => {
  expect(await faultOf(Buffer.from('\ufeffemail\n', 'utf16le'))).toContain('byte 0 (0xFF), in row 1')
})

test('NUL is named, with its place and row', async () => {
  expect(await faultOf(Buffer.from('a,b\n1,"x\n\0"\n'))).toContain('there is one at byte 9 (0x00), in row 2')
})

test('a quote that is never closed is reported with the row that it stands in', async () => {
  expect(await faultOf(Buffer.from('a,b\n1,2\n3,"4\n5,6\n'))).toBe(
    'has a quote in row 3 that is never closed: close it',
  )
})

test('a quote in the middle of a cell is reported', async () => {
  expect(await faultOf(Buffer.from('a,b\n1,5" pipe\n'))).toContain('has a quote inside a cell in row 2')
  expect(await faultOf(Buffer.from('a,b\n1,"x"y\n'))).toContain('has a quote inside a cell in row 2')
})

test('100 MB on one line, quoted or not, are given up after the longest row, without being held', async () => {
  for (const first of ['a,', 'a,"']) {
    let asked = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(first)
      for (; asked < 1600; asked++) yield Buffer.alloc(64 * 1024, 'x')
    }
    expect(await faultOf(endless())).toContain(`more than ${ROW_BYTES / 1024} KiB in row 1`)
    expect(asked).toBeLessThan(20)
  }
})
