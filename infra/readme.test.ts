import { readdir, readFile } from 'node:fs/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { LANES } from '#platform/jobs/queues/lanes.ts'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

/** Names in capitals at the beginning of a table's rows, several to a row. */
const documented = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) =>
      [...(line.split(' | ')[0] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
    )

test('the operations guide names every variable of the configuration, and no other', async () => {
  const [, schema = ''] =
    /^export const Environment = Type\.Object\(\{\n(.*?)^\}\)/ms.exec(
      await read('packages/platform/src/environment.ts'),
    ) ?? []
  const variables = [...schema.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name]) => name)
  expect(variables.length).toBeGreaterThan(10)
  expect(documented(await read('docs/operations.md')).sort()).toEqual(variables.sort())
})

test('the operations guide names every lane of a worker', async () => {
  const text = await read('docs/operations.md')
  expect(LANES.filter((lane) => !text.includes(`\`${lane}\``))).toEqual([])
})

test('every metric that the operations guide names is one of a process', async () => {
  const processes = new Registry()
  collectDefaultMetrics({ register: processes })
  const sources = await Promise.all(
    (await readdir(new URL('../packages/', import.meta.url), { recursive: true }))
      .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
      .map((path) => read(`packages/${path}`)),
  )
  const made = sources.flatMap((text) =>
    [...text.matchAll(/(?:name: |gauge\(\s*)'(guildhall_\w+)'/g)].map(([, name = '']) => name),
  )
  const known = new Set([...made, ...processes.getMetricsAsArray().map(({ name }) => name)])
  const [, section = ''] = (await read('docs/operations.md')).split('## What to alert on')
  const named = [...section.matchAll(/\b((?:guildhall|process|nodejs)_[a-z0-9_]+)/g)].map(([, name = '']) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})
