import { createHash } from 'node:crypto'
import { idOf } from './row-ids.ts'

/** A place in a statement for a value with this name. */
export class Named {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Values of a statement that are their own names. */
export const NAMES = new Proxy({}, { get: (_, name) => new Named(String(name)) })

/** Numbers by what they are called; any other is 1. A page of 20 asks for one more, and one far from the first skips some hundred. */
const NUMBERS: Readonly<Record<string, number>> = { limit: 21, most: 21, offset: 500, skipped: 500 }

/** Texts by what they are called; any other is that of the first row. */
const TEXTS: Readonly<Record<string, string>> = { config: 'simple', texts: '{}', payloads: '{}' }

/** JSON by what it is called; any other is an object. */
const JSON_VALUES: Readonly<Record<string, string>> = { lines: '[]' }

/** A value for a parameter, as PostgreSQL reads it: one that names the first rows of tables, where it names any. */
export function valueFor(type: string, name: string): string {
  if (type.endsWith('[]')) {
    const of = type.slice(0, -2)
    return `{${of === 'uuid' ? [1, 2, 3].map(idOf).join(',') : JSON.stringify(valueFor(of, name))}}`
  }
  switch (type) {
    case 'uuid':
      return idOf(name === 'after_key' ? 900 : 1)
    case 'boolean':
      return 'true'
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
    case 'real':
    case 'double precision':
      return String(NUMBERS[name] ?? 1)
    case 'timestamp with time zone':
      // Before all rows.
      return new Date(Date.now() - 3_600_000).toISOString()
    case 'date':
      return new Date().toISOString().slice(0, 10)
    case 'bytea':
      return `\\x${createHash('sha256').update('1').digest('hex')}`
    case 'json':
      return '[]'
    case 'jsonb':
    case 'app.metadata':
      return JSON_VALUES[name] ?? '{}'
    case 'inet':
      return '192.0.2.1'
    case 'interval':
      return '1 day'
    default:
      return TEXTS[name] ?? 'row-1'
  }
}
