import { type Call, callOf } from './call.ts'
import { jsLiteral, pythonLiteral } from './literals.ts'
import type { Operation } from './reference.ts'
import { sdkSample } from './sdk-sample.ts'

/** One call in one language. */
export interface Sample {
  /** As its tab is called. */
  readonly label: string
  readonly language: 'sh' | 'js' | 'python'
  readonly code: string
}

export interface SampleOptions {
  /** Of the API, without a slash at its end. */
  readonly baseUrl: string
}

/** The same call with curl, in JavaScript and in Python. */
export function samplesOf(operation: Operation, { baseUrl }: SampleOptions): Sample[] {
  const call = callOf(operation, baseUrl)
  const { sdk } = operation
  return [
    { label: 'curl', language: 'sh', code: curl(call) },
    ...(sdk ? [{ label: 'SDK', language: 'js' as const, code: sdkSample(sdk, call) }] : []),
    { label: 'JavaScript', language: 'js', code: viaFetch(call) },
    { label: 'Python', language: 'python', code: python(call) },
  ]
}

/** A text in single quotes, as a shell reads it. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function curl({ method, url, credential, json, form }: Call): string {
  const address = /[?&<>' ]/.test(url) ? quoted(url) : url
  const usual = json === undefined && form === undefined ? 'GET' : 'POST'
  const parts = [
    `curl ${method === usual ? '' : `-X ${method} `}${address}`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...(json === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${quoted(`${name}=${partOf(name, value)}`)}`),
  ]
  return parts.join(' \\\n  ')
}

const isFile = (name: string, value: unknown) => name === 'file' || value === 'text' || value === '(binary)'

const partOf = (name: string, value: unknown) => {
  if (isFile(name, value)) return '@file.txt'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function viaFetch({ method, url, credential, json, form }: Call): string {
  const headers = {
    ...(credential !== undefined && { Authorization: `Bearer \${${credential}}` }),
    ...(json !== undefined && { 'Content-Type': 'application/json' }),
  }
  const lines = Object.entries(headers).map(([name, value]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return `    ${key}: ${value.includes('${') ? `\`${value}\`` : `'${value}'`},`
  })
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(lines.length === 0 ? [] : ['  headers: {', ...lines, '  },']),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${jsLiteral(json, 2)}),`]),
    ...(form === undefined ? [] : ['  body: form,']),
  ]
  const call = options.length === 0 ? `fetch('${url}')` : `fetch('${url}', {\n${options.join('\n')}\n})`
  return [...formLines(form), `const answer = await ${call}`, 'console.log(await answer.json())'].join('\n')
}

function formLines(form: Call['form']): string[] {
  if (form === undefined) return []
  const parts = Object.entries(form).map(
    ([name, value]) =>
      `form.append('${name}', ${isFile(name, value) ? 'file' : jsLiteral(partOf(name, value), 0)})`,
  )
  return ['const form = new FormData()', ...parts]
}

function python({ method, url, credential, json, form }: Call): string {
  const entries = Object.entries(form ?? {})
  const files = entries.filter(([name, value]) => isFile(name, value))
  const data = entries.filter(([name, value]) => !isFile(name, value))
  const values = Object.fromEntries(data.map(([name, value]) => [name, partOf(name, value)]))
  const opened = files.map(([name]) => `"${name}": open("file.txt", "rb")`)
  const options = [
    `    "${url}",`,
    ...(credential === undefined ? [] : [`    headers={"Authorization": f"Bearer {${credential}}"},`]),
    ...(json === undefined ? [] : [`    json=${pythonLiteral(json, 4)},`]),
    ...(data.length === 0 ? [] : [`    data=${pythonLiteral(values, 4)},`]),
    ...(files.length === 0 ? [] : [`    files={${opened.join(', ')}},`]),
  ]
  return [
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    ...options,
    ')',
    'print(answer.json())',
  ].join('\n')
}
