import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readDocument } from '../sdk/read-document.ts'
import { NO_SCREEN } from './no-screen.fixture.ts'

// After the console an operator needs no curl: what an owner or an admin may call, a screen calls.

const SOURCES = new URL('../../apps/console/src/', import.meta.url)
/** What a function of the client library calls for the console. */
const BY_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  uploadFile: ['storage.files.upload', 'storage.uploads.create', 'storage.uploads.complete'],
}

/** The sources of the console without white space, as one text. */
async function readSources(): Promise<string> {
  const names = (await readdir(SOURCES, { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith('forms.generated'),
  )
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, SOURCES), 'utf8')))
  return texts.join('\n').replaceAll(/\s+/g, '')
}

/** The operations that take the token of an operator, as the client library names them. */
async function operationsOfOperators(): Promise<string[]> {
  const { paths } = await readDocument()
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(({ 'x-access': access }) => access !== 'open' && access.secret !== undefined)
    .map(({ 'x-sdk': { group, method } }) => `${group}.${method}`)
}

test('each operation that an operator may call is called by a screen, or a reason says why not', async () => {
  const [text, all] = await Promise.all([readSources(), operationsOfOperators()])
  const byFunctions = Object.entries(BY_FUNCTIONS).flatMap(([name, operations]) =>
    text.includes(`${name}(`) ? operations : [],
  )
  const isCalled = (name: string) => text.includes(`.${name}(`) || byFunctions.includes(name)
  const reasons = Object.values(NO_SCREEN).flat()
  expect(all.length).toBeGreaterThan(300)
  expect(all.filter((name) => !isCalled(name) && !reasons.includes(name))).toEqual([])
  // What has got a screen, or is gone, needs no reason any more.
  expect(reasons.filter((name) => isCalled(name) || !all.includes(name))).toEqual([])
  expect(reasons.filter((name, i) => reasons.indexOf(name) !== i)).toEqual([])
})
