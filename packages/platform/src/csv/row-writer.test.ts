import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { types } from '../db/types.ts'
import { defineId, newUuid, toId } from '../ids.ts'
import { csvRows, jsonRows, type RowFormat } from './row-writer.ts'

const TIMESTAMPTZ = 1184
const isoOf = (text: string) => types.getTypeParser(TIMESTAMPTZ)(text)

function written({ write, overhead }: RowFormat, row: string): string {
  const bytes = Buffer.from(row)
  // No byte may go past what the format says that it needs.
  const out = Buffer.alloc(bytes.length + overhead)
  return out.toString('utf8', 0, write(out, 0, bytes))
}

const submissionId = defineId('sub', 'Submission')

const LEADS = [
  { name: 'id', as: submissionId },
  { name: 'created_at', as: 'timestamp' },
  { name: 'member_id', as: 'member' },
] as const

describe('leading columns', () => {
  test('become ids as they are everywhere', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(written(csvRows([{ name: 'id', as: submissionId }]), `${uuid},x\n`)).toBe(
          `${toId(submissionId, uuid)},x\r\n`,
        )
      }),
    )
  })

  test.each([
    '2026-11-21 09:00:00+00',
    '2026-11-21 09:00:00.1+00',
    '2026-11-21 09:00:00.12+00',
    '2026-11-21 09:00:00.123+00',
    '2026-11-21 09:00:00.123456+00',
    '2026-11-21 09:00:00.999999+00',
  ])('become timestamps as they are everywhere: %s', (text) => {
    expect(written(csvRows([{ name: 'at', as: 'timestamp' }]), `${text},x\n`)).toBe(`${isoOf(text)},x\r\n`)
  })

  test('may be empty, and what stands behind them is not touched', () => {
    const [id, at] = [newUuid(), '2026-11-21 09:00:00.5+00']
    const shown = [toId(submissionId, id), '2026-11-21T09:00:00.500Z', '']
    expect(written(csvRows(LEADS), `${id},${at},,"a\nb,""c""",ü\n`)).toBe(
      `${shown.join(',')},"a\nb,""c""",ü\r\n`,
    )
  })

  test('are the first members of a JSON object', () => {
    const [id, at] = [newUuid(), '2026-11-21 09:00:00.5+00']
    const line = written(jsonRows(LEADS), `${id}\x02${at}\x02\x02{"data":{"a":"ü,\\n"}}\n`)
    expect(line.endsWith('}\n')).toBe(true)
    expect(JSON.parse(line)).toEqual({
      id: toId(submissionId, id),
      created_at: '2026-11-21T09:00:00.500Z',
      member_id: null,
      data: { a: 'ü,\n' },
    })
  })
})
