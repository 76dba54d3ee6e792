import { pascalCase } from '#platform/http/openapi/parts.ts'
import { type Call, COMMON_CODES, callsOf } from './operations.ts'
import type { ApiDocument, Schema } from './read-document.ts'
import { docOf, Types } from './types.ts'

const HEADER = `// Made by \`node infra/sdk/main.ts\` of the API's document: do not edit it. \`npm run check\` compares it.
import type { Options, Pages } from './calls.ts'

/** One of the known words, or one that a newer API has. */
export type Open<Words extends string> = Words | (string & {})
`

/** The whole text of \`api.generated.ts\`: the types of the API, and the table of its operations. */
export function printApi(document: ApiDocument): string {
  const calls = callsOf(document)
  const events = Object.entries(document.webhooks).map(
    ([name, { post }]) => [name, post.requestBody?.content?.['application/json']?.schema ?? {}] as const,
  )
  const types = new Types(
    document.components.schemas,
    calls.flatMap(({ body, form, query }) => [body ?? {}, form ?? {}, ...query.map(({ schema }) => schema)]),
    [...calls.flatMap(answered), ...events.map(([, schema]) => schema)],
  )
  return [
    HEADER,
    types.declarations(),
    ...calls.flatMap((call) => queryType(types, call)),
    printTree(types, treeOf(calls)),
    printErrors(calls),
    printEvents(types, events),
    printTable(calls),
  ].join('\n')
}

function answered({ answer }: Call): readonly Schema[] {
  if (answer.kind === 'response') return []
  return 'item' in answer ? [answer.item, ...Object.values(answer.beside)] : answer.schemas
}

const queryName = ({ id }: Call) => `${pascalCase(id)}Query`

function queryType(types: Types, call: Call): string[] {
  if (call.query.length === 0) return []
  const fields = call.query.map(({ name, required, schema, description }) => {
    const described = description === undefined ? schema : { ...schema, description }
    const isOptional = required !== true
    return types.field(name, described, { direction: 'sent', isOptional, indent: '  ' })
  })
  return [`export interface ${queryName(call)} {\n${fields.join('\n')}\n}`]
}

/** Groups by their names; operations by theirs. */
interface Tree {
  readonly [name: string]: Tree | Call
}

function treeOf(calls: readonly Call[]): Tree {
  const root: Record<string, Tree | Call> = {}
  for (const call of calls) {
    let group = root
    for (const word of call.group.split('.')) {
      group[word] ??= {}
      group = group[word] as Record<string, Tree | Call>
    }
    group[call.method] = call
  }
  return root
}

const isCall = (entry: Tree | Call): entry is Call => 'http' in entry && typeof entry.http === 'string'

function printTree(types: Types, tree: Tree): string {
  const print = (entries: Tree, indent: string): string =>
    Object.entries(entries)
      .map(([name, entry]) =>
        isCall(entry)
          ? `${docOf(entry.summary, indent)}${indent}${name}(${argumentsOf(types, entry)}): ${answerOf(types, entry, indent)}`
          : `${indent}readonly ${name}: {\n${print(entry, `${indent}  `)}\n${indent}}`,
      )
      .join('\n')
  return `/** All operations of the API. */\nexport interface Operations {\n${print(tree, '  ')}\n}`
}

function argumentsOf(types: Types, call: Call): string {
  const path = call.pathParameters.map(
    ({ name, schema }) => `${camelCase(name)}: ${types.print(schema, 'sent')}`,
  )
  const isQueryRequired = call.query.some(({ required }) => required)
  const options = call.query.length > 0 && hasBody(call) ? `Options<${queryName(call)}>` : 'Options'
  return [...path, ...inputOf(types, call, isQueryRequired), `options?: ${options}`].join(', ')
}

const hasBody = ({ body, form }: Call): boolean => body !== undefined || form !== undefined

function inputOf(types: Types, call: Call, isQueryRequired: boolean): string[] {
  const { body, form, isBodyRequired } = call
  if (hasBody(call)) {
    const parts = [body && types.print(body, 'sent', '  '), form && 'FormData'].filter(Boolean)
    return [`body${isBodyRequired ? '' : '?'}: ${parts.join(' | ')}`]
  }
  return call.query.length === 0 ? [] : [`query${isQueryRequired ? '' : '?'}: ${queryName(call)}`]
}

function answerOf(types: Types, { answer }: Call, indent: string): string {
  if (answer.kind === 'response') return 'Promise<Response>'
  if ('item' in answer) {
    const beside = Object.entries(answer.beside).map(([name, schema]) =>
      types.field(name, schema, { direction: 'answered', isOptional: false, indent: '' }).trim(),
    )
    const more = beside.length === 0 ? '' : `, { ${beside.join('; ')} }`
    return `Pages<${types.print(answer.item, 'answered', indent)}${more}>`
  }
  const all = answer.schemas.map((schema) => types.print(schema, 'answered', indent))
  return `Promise<${[...new Set(all)].join(' | ')}>`
}

function printErrors(calls: readonly Call[]): string {
  const lines = calls
    .filter(({ errors }) => errors.length > 0)
    .map(
      ({ group, method, errors }) =>
        `  '${group}.${method}': ${errors.map((code) => `'${code}'`).join(' | ')}`,
    )
  return `/** The codes that any operation may answer. */
export type CommonCode = ${COMMON_CODES.map((code) => `'${code}'`).join(' | ')}

/** The codes that only some operations answer. */
export interface OwnCodes {
${lines.join('\n')}
}`
}

function printEvents(types: Types, events: readonly (readonly [name: string, schema: Schema])[]): string {
  const lines = events.map(([name, schema]) => `  '${name}': ${types.print(schema, 'answered', '  ')}`)
  return `/** The bodies of webhooks, by the types of events. */\nexport interface WebhookEvents {\n${lines.join('\n')}\n}`
}

const METHODS: Readonly<Record<string, string>> = { GET: 'G', POST: 'P', PUT: 'U', PATCH: 'A', DELETE: 'D' }

/** One line for each group, and one for each of its operations: method, path, and marks that \`table.ts\` explains. */
function printTable(calls: readonly Call[]): string {
  const lines = [...Map.groupBy(calls, ({ group }) => group)].map(([group, members]) =>
    [group, ...members.map(lineOf)].join('\n'),
  )
  return `/** The operations by their groups, as \`table.ts\` reads them. */\nexport const TABLE = \`${lines.join('\n')}\`\n`
}

function lineOf(call: Call): string {
  const path = call.path.replace(/^\/api\/v1/, '~').replaceAll(/\{\w+\}/g, '*')
  const { answer } = call
  const marks = [
    hasBody(call) ? 'b' : '',
    call.query.length > 0 && !hasBody(call) ? 'q' : '',
    call.takesKey ? 'k' : '',
    answer.kind === 'response' ? 'r' : '',
    answer.kind === 'whole' ? 'w' : '',
    'item' in answer ? 'l' : '',
    'field' in answer && answer.field !== 'data' ? `:${answer.field}` : '',
  ]
  return ` ${call.method} ${METHODS[call.http]}${path} ${marks.join('')}`.trimEnd()
}

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
