/** docs/security.md as rows: what is required, what meets it, and the tests that hold it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface TestedBy {
  /** From the root of the repository. */
  readonly file: string
  /** A part of the test's name, or of the name of what it stands in. */
  readonly name: string
}

export interface Requirement {
  readonly title: string
  readonly means: string
  readonly tests: readonly TestedBy[]
}

/** Every row of the document's tables. */
export async function readRequirements(root: string): Promise<Requirement[]> {
  const text = await readFile(join(root, 'docs/security.md'), 'utf8')
  return text
    .split('\n')
    .filter((line) => /^\| (API|V)\d/.test(line))
    .map((line) => {
      const [title = '', means = '', tests = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
      return { title, means, tests: tests === '' ? [] : tests.split(' · ').map(toTest) }
    })
}

function toTest(text: string): TestedBy {
  const [, path = '', name = ''] = /^`([^`]+)` › (.+)$/.exec(text) ?? []
  return { file: path.startsWith('infra/') ? path : `packages/${path}`, name }
}

/** What is wrong with a row: a test that does not exist, or neither a test nor a reason. */
export async function faultsOf(root: string, { title, means, tests }: Requirement): Promise<string[]> {
  if (tests.length === 0) return means.startsWith('– ') ? [] : [`${title}: has neither a test nor a reason`]
  const faults: string[] = []
  for (const { file, name } of tests) {
    const source = await readFile(join(root, file), 'utf8').catch(() => undefined)
    if (source === undefined) faults.push(`${title}: there is no ${file}`)
    else if (name === '' || !source.includes(name)) faults.push(`${title}: ${file} has no test › ${name}`)
  }
  return faults
}
