import { TABLE } from './api.generated.ts'

/** How an operation is called, as the table says it. */
export interface Spec {
  /** `members.create`. */
  readonly name: string
  readonly method: string
  /** A path with `*` for each id. */
  readonly path: string
  readonly hasBody: boolean
  readonly hasQuery: boolean
  /** A key is sent, because a repetition would do harm. */
  readonly sendsKey: boolean
  readonly answer: 'data' | 'whole' | 'response' | 'list'
  /** The field of the body that is the answer. */
  readonly field: string
}

const METHODS: Readonly<Record<string, string>> = { G: 'GET', P: 'POST', U: 'PUT', A: 'PATCH', D: 'DELETE' }

/** Calls `add` for each operation, in the order of the document. */
export function readTable(add: (groups: readonly string[], method: string, spec: Spec) => void): void {
  let group = ''
  for (const line of TABLE.trimEnd().split('\n')) {
    if (!line.startsWith(' ')) {
      group = line
      continue
    }
    const [, method = '', address = '', marks = ''] = line.split(' ')
    const [flags = '', field = 'data'] = marks.split(':')
    add(group.split('.'), method, {
      name: `${group}.${method}`,
      method: METHODS[address.charAt(0)] ?? 'GET',
      path: address.slice(1).replace('~', '/api/v1'),
      hasBody: flags.includes('b'),
      hasQuery: flags.includes('q'),
      sendsKey: flags.includes('k'),
      answer: flags.includes('r')
        ? 'response'
        : flags.includes('w')
          ? 'whole'
          : flags.includes('l')
            ? 'list'
            : 'data',
      field,
    })
  }
}
