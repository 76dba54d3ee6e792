import { createClient } from '@guildhall/sdk'
import type { RecordedCall } from '../../data/recorded-calls.ts'

export type Language = 'curl' | 'SDK' | 'Python'

interface Http {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

/** Never sent: what the library would send is written down. */
class Captured extends Error {}

/** What the client library sends for a call, without sending it. @throws TypeError for a call that there is not */
export async function httpOf({ name, args }: RecordedCall, origin: string): Promise<Http> {
  let http: Http | undefined
  const client = createClient({
    baseUrl: origin,
    token: 'none',
    retries: 0,
    fetch: async (input, { method = 'GET', body } = {}) => {
      http = { method, url: String(input), body: typeof body === 'string' ? JSON.parse(body) : undefined }
      throw new Captured()
    },
  })
  const call = name.split('.').reduce<unknown>((at, word) => (at as Record<string, unknown>)[word], client)
  await Promise.resolve((call as (...all: unknown[]) => PromiseLike<unknown>)(...args)).catch(() => undefined)
  if (http === undefined) throw new TypeError(`${name} sends nothing`)
  return http
}

/** A call in three languages. Keys are read from the environment, never written. */
export async function codeOf(
  call: RecordedCall,
  origin: string,
): Promise<Readonly<Record<Language, string>>> {
  const http = await httpOf(call, origin)
  return { curl: curl(http), SDK: sdk(call, origin), Python: python(http) }
}

/** A text in single quotes, as a shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function curl({ method, url, body }: Http): string {
  const usual = body === undefined ? 'GET' : 'POST'
  const parts = [
    `curl ${method === usual ? '' : `-X ${method} `}${quoted(url)}`,
    '-H "Authorization: Bearer $GUILDHALL_KEY"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, undefined, 2))}`]),
  ]
  return parts.join(' \\\n  ')
}

function sdk({ name, args }: RecordedCall, origin: string): string {
  const sent = args.filter((arg) => arg !== undefined).map((arg) => JSON.stringify(arg, undefined, 2))
  return [
    "import { createClient } from '@guildhall/sdk'",
    '',
    `const guildhall = createClient({ baseUrl: ${JSON.stringify(origin)}, key: process.env.GUILDHALL_KEY })`,
    `console.log(await guildhall.${name}(${sent.join(', ')}))`,
  ].join('\n')
}

function python({ method, url, body }: Http): string {
  const { origin, pathname, searchParams } = new URL(url)
  const query = Object.fromEntries(searchParams)
  return [
    'import os',
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    ${pythonOf(origin + pathname)},`,
    `    headers={"Authorization": f"Bearer {os.environ['GUILDHALL_KEY']}"},`,
    ...(Object.keys(query).length > 0 ? [`    params=${pythonOf(query)},`] : []),
    ...(body === undefined ? [] : [`    json=${pythonOf(body)},`]),
    ')',
    'answer.raise_for_status()',
    'print(answer.json())',
  ].join('\n')
}

const INDENT = '    '

/** A value as Python writes it. Texts of JSON are texts of Python, but for characters outside of the first plane that are escaped. */
export function pythonOf(value: unknown, indent = INDENT): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + INDENT
  const parts = Array.isArray(value)
    ? value.map((each) => inner + pythonOf(each, inner))
    : Object.entries(value).map(([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonOf(each, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return parts.length === 0 ? open + close : `${open}\n${parts.join(',\n')},\n${indent}${close}`
}
