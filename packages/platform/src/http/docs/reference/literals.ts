/** A value as JavaScript is written: keys without quotes where they need none. @param indent spaces before its last line */
export function jsLiteral(value: unknown, indent: number): string {
  if (typeof value === 'string') return `'${escaped(value)}'`
  const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${escaped(name)}'`)
  return nested(value, indent, { write: jsLiteral, key, step: 2 })
}

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** The same as Python is written. */
export function pythonLiteral(value: unknown, indent: number): string {
  if (value === null || typeof value === 'boolean') return PYTHON[String(value)] ?? ''
  if (typeof value === 'string') return JSON.stringify(value)
  const key = (name: string) => JSON.stringify(name)
  return nested(value, indent, { write: pythonLiteral, key, step: 4 })
}

interface Style {
  write(value: unknown, indent: number): string
  key(name: string): string
  /** Spaces of one level. */
  readonly step: number
}

function nested(value: unknown, indent: number, { write, key, step }: Style): string {
  const inner = ' '.repeat(indent + step)
  const end = ' '.repeat(indent)
  if (Array.isArray(value)) {
    if (value.every((each) => typeof each !== 'object' || each === null))
      return `[${value.map((each) => write(each, indent)).join(', ')}]`
    return `[\n${value.map((each) => `${inner}${write(each, indent + step)},\n`).join('')}${end}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  const lines = entries.map(([name, each]) => `${inner}${key(name)}: ${write(each, indent + step)},\n`)
  return `{\n${lines.join('')}${end}}`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')
