import { createClient } from '@guildhall/sdk'
import { isOfConsole, type LibraryCall, type RecordedCall } from '../../data/recorded-calls.ts'

export type Language = 'curl' | 'SDK' | 'Python'

interface Http {
  readonly method: string
  readonly url: string
  readonly body: unknown
  /** The variable of the environment that has the credential. */
  readonly credential: string
  /** What the request needs beside credential and type. */
  readonly headers: Readonly<Record<string, string>>
}

/** Never sent: what the library would send is written down. */
class Captured extends Error {}

/** What the client library sends for a call, without sending it. @throws TypeError for a call that there is not */
async function httpOfLibrary({ name, args }: LibraryCall, origin: string): Promise<Http> {
  let http: Http | undefined
  const client = createClient({
    baseUrl: origin,
    token: 'none',
    retries: 0,
    fetch: async (input, { method = 'GET', body } = {}) => {
      const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
      http = { method, url: String(input), body: sent, credential: 'GUILDHALL_KEY', headers: {} }
      throw new Captured()
    },
  })
  const call = name.split('.').reduce<unknown>((at, word) => (at as Record<string, unknown>)[word], client)
  await Promise.resolve((call as (...all: unknown[]) => PromiseLike<unknown>)(...args)).catch(() => undefined)
  if (http === undefined) throw new TypeError(`${name} sends nothing`)
  return http
}

/** What a call sends. */
async function httpOf(call: RecordedCall, origin: string): Promise<Http> {
  if (!isOfConsole(call)) return httpOfLibrary(call, origin)
  const { method, path, body } = call
  return {
    ...{ method, url: `${origin}/console/api${path}`, body, credential: 'GUILDHALL_OPERATOR' },
    // The console's API takes changes from its own pages alone, unless a request says that it is no form of another site.
    headers: method === 'GET' ? {} : { Origin: origin, 'X-Guildhall-Console': '1' },
  }
}

/** A call in three languages. Keys are read from the environment, never written. */
export async function codeOf(
  call: RecordedCall,
  origin: string,
): Promise<Readonly<Record<Language, string>>> {
  const http = await httpOf(call, origin)
  return {
    curl: curl(http),
    SDK: isOfConsole(call) ? withFetch(http) : library(call, origin),
    Python: python(http),
  }
}

/** A text in single quotes, as a shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const JSON_TYPE = { 'Content-Type': 'application/json' } as const
const typedHeaders = ({ headers, body }: Http) =>
  Object.entries({ ...headers, ...(body !== undefined && JSON_TYPE) })

function curl(http: Http): string {
  const { method, url, body, credential } = http
  const usual = body === undefined ? 'GET' : 'POST'
  const parts = [
    `curl ${method === usual ? '' : `-X ${method} `}${quoted(url)}`,
    `-H "Authorization: Bearer $${credential}"`,
    ...typedHeaders(http).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, undefined, 2))}`]),
  ]
  return parts.join(' \\\n  ')
}

const FROM_ENVIRONMENT = "import { env } from 'node:process'"

function library({ name, args }: LibraryCall, origin: string): string {
  const sent = args.filter((arg) => arg !== undefined).map((arg) => JSON.stringify(arg, undefined, 2))
  return [
    FROM_ENVIRONMENT,
    "import { createClient } from '@guildhall/sdk'",
    '',
    `const guildhall = createClient({ baseUrl: ${JSON.stringify(origin)}, key: env.GUILDHALL_KEY })`,
    `console.log(await guildhall.${name}(${sent.join(', ')}))`,
  ].join('\n')
}

function withFetch(http: Http): string {
  const { method, url, body, credential } = http
  return [
    FROM_ENVIRONMENT,
    '',
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    '  headers: {',
    `    Authorization: \`Bearer \${env.${credential}}\`,`,
    ...typedHeaders(http).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body, undefined, 2)}),`]),
    '})',
    'console.log(await answer.json())',
  ].join('\n')
}

/** With what Python has by itself: nothing has to be installed. */
function python(http: Http): string {
  const { method, url, body, credential } = http
  const { origin, pathname, searchParams } = new URL(url)
  const query = [...searchParams].map(([name, value]) => `        (${pythonOf(name)}, ${pythonOf(value)}),`)
  return [
    ...(body === undefined ? [] : ['import json']),
    'import os',
    ...(query.length > 0 ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    ...(query.length === 0
      ? [`    ${pythonOf(origin + pathname)},`]
      : [`    ${pythonOf(`${origin + pathname}?`)} + urlencode([`, ...query, '    ]),']),
    `    method=${pythonOf(method)},`,
    '    headers={',
    `        "Authorization": f"Bearer {os.environ['${credential}']}",`,
    ...typedHeaders(http).map(([name, value]) => `        ${pythonOf(name)}: ${pythonOf(value)},`),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonOf(body)}).encode(),`]),
    ')',
    'with urlopen(request) as answer:',
    '    print(answer.read().decode())',
  ].join('\n')
}

const INDENT = '    '

/** A value as Python writes it. Texts of JSON are texts of Python, but for characters outside of the first plane that are escaped. */
function pythonOf(value: unknown, indent = INDENT): string {
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
