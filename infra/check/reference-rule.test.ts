import { expect, test } from 'vitest'
import { referenceFaults } from './reference-rule.ts'

/** Not written as one word, so that the check of this file finds no reference. */
const DECISION = 'decision'

const PAGES = [{ path: 'docs/decisions/0001-first.md', text: '# 0001. First\n' }]

/** The faults of one text among the pages. */
function faultsOf(path: string, text: string): string[] {
  const texts = [...PAGES, { path, text }]
  return referenceFaults(texts, [], (file) => texts.some((one) => one.path === file))
}

test.each([
  ['docs/a.md', '[0001](decisions/0001-first.md#0001-first)'],
  ['docs/a.md', '## Both of `it`\n\n[below](#both-of-it), [outside](https://example.com/x)'],
  ['docs/a.md', '```\n[not](a-link.md)\n```\n'],
  ['migrations/1_a.sql', `-- see ${DECISION} 0001`],
])('%s with %j has no fault', (path, text) => {
  expect(faultsOf(path, text)).toEqual([])
})

test.each([
  ['docs/a.md', '[gone](decisions/gone.md)', 'leads to no file'],
  ['docs/a.md', '[gone](decisions/0001-first.md#second)', 'leads to no heading'],
  ['docs/a.md', '[gone](#gone)', 'leads to no heading'],
  ['docs/a.md', `${DECISION} 0002`, `no ${DECISION} 0002`],
  ['docs/a.md', `${DECISION}s 0001, 0002`, `no ${DECISION} 0002`],
  ['docs/a.md', `docs/${DECISION}s/0002`, `no ${DECISION} 0002`],
  ['migrations/1_a.sql', `${DECISION} 0098`, `no ${DECISION} 0098`],
])('%s with %j is refused', (path, text, fault) => {
  expect(faultsOf(path, text)).toEqual([expect.stringContaining(fault)])
})

test('a source file that refers to no page is refused', () => {
  const source = { path: 'packages/a.ts', text: `// (${DECISION} 0002)` }
  expect(referenceFaults(PAGES, [source], () => true)).toEqual([
    `packages/a.ts: there is no ${DECISION} 0002`,
  ])
})
