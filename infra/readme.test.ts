import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { findProgram } from './find-program.ts'

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

test('every metric that guides, alerts and the dashboard name is one of a process', async () => {
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
  const texts = await Promise.all(
    [
      'docs/operations.md',
      'docs/runbook.md',
      'infra/monitoring/alerts.yaml',
      'infra/monitoring/dashboard.json',
    ].map(read),
  )
  const named = texts.flatMap((text) =>
    [
      ...text.matchAll(/\b((?:guildhall|process|nodejs)_[a-z0-9_]+_[a-z0-9]+|guildhall_(?:info|jobs))\b/g),
    ].map(([, name = '']) => name.replace(/_(bucket|count|sum)$/, '')),
  )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('every alert has an entry in the runbook, and every entry an alert', async () => {
  const alerts = [
    ...(await read('infra/monitoring/alerts.yaml')).matchAll(
      /- alert: (\w+)[\s\S]*?runbook: docs\/runbook\.md#(\w+)/g,
    ),
  ]
  const entries = [...(await read('docs/runbook.md')).matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  expect(alerts.map(([, name]) => name)).toEqual(entries)
  expect(alerts.filter(([, name = '', anchor]) => name.toLowerCase() !== anchor)).toEqual([])
})

const promtool = findProgram('promtool')

test.skipIf(promtool === '')('promtool takes the alerts (Debian has it in the package prometheus)', () => {
  const path = fileURLToPath(new URL('./monitoring/alerts.yaml', import.meta.url))
  const { status, stdout, stderr } = spawnSync(promtool, ['check', 'rules', path], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/)
})

test.skipIf(promtool === '')('the alerts fire for outages as their tests say, and end with them', () => {
  const path = fileURLToPath(new URL('./monitoring/alerts.test.yaml', import.meta.url))
  const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', path], { encoding: 'utf8' })
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})
