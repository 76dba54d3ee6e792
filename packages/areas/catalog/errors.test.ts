import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { errorsIn } from '#platform/define-error.ts'
import { patternText } from '#platform/http/validation/pattern-texts.ts'
import type { TestApi } from '#testkit/api.ts'
import { withApi } from '#testkit/with-api.ts'

// Every error that an area declares in its manifest: a new one is covered the day it is added.

const SOURCES = join(import.meta.dirname, '../src')
const declared = areas.flatMap(({ errors = {} }) => errorsIn(errors))
let api: TestApi

withApi((opened) => {
  api = opened
})

test('is in the manifest of its area', async () => {
  const files = await readdir(SOURCES, { recursive: true })
  const withErrors = files.filter((file) => file.endsWith('/errors.ts')).map((file) => dirname(file))
  const named = areas.flatMap(({ name, errors }) => (errors === undefined ? [] : [name]))
  expect(withErrors.sort()).toEqual(named.sort())
})

test('is what it says when it is thrown', () => {
  expect(declared.length).toBeGreaterThan(80)
  for (const type of declared) {
    const { status, code, message } = type(new Error('the cause'))
    expect({ status, code, message }).toEqual({ status: type.status, code: type.code, message: type.message })
  }
})

test('says in a sentence what is wrong: with a subject, and in words that are not a validator’s', () => {
  const texts = declared.map(({ message }) => message)
  expect(texts.filter((text) => !/^[A-Z`]/.test(text))).toEqual([])
  expect(texts.filter((text) => /^(?:Must|Is|Are|Has|Have|Cannot|Not|Should)\b/.test(text))).toEqual([])
  expect(texts.filter((text) => /must NOT|[.!]$/.test(text))).toEqual([])
})

test('has a text of its own, and is documented by a route', () => {
  const texts = declared.map(({ message }) => message)
  expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([])
  const document = JSON.stringify([
    api.contract.endpoints.map(({ operation }) => operation.responses),
    api.api.consoleSwagger(),
  ])
  const undocumented = declared.filter(
    ({ code, message }) => !document.includes(`"${code}"`) || !document.includes(message),
  )
  expect(undocumented.map(({ code }) => code)).toEqual([])
})

/** The sources of areas without what only imports an error or documents it. */
async function readUses() {
  const files = (await readdir(SOURCES, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file) && !file.endsWith('/errors.ts'),
  )
  const texts = await Promise.all(files.map((file) => readFile(join(SOURCES, file), 'utf8')))
  return texts.map((text) =>
    text.replaceAll(/^import [^;]*? from '[^']+'$/gm, '').replaceAll(/\berrors(: | = )\[[^\]]*\]/g, ''),
  )
}

test('is sent by somebody: none is declared and documented that no code answers', async () => {
  const uses = (await readUses()).join('\n')
  // An error is known by its name; one of a list by its code.
  const names = areas.flatMap(({ errors = {} }) =>
    Object.entries(errors).flatMap(([name, value]) =>
      Array.isArray(value)
        ? errorsIn({ value }).map(({ code }) => `'${code}'`)
        : errorsIn({ value }).map(() => name),
    ),
  )
  expect(names.filter((name) => !new RegExp(`(?<!\\w)${name}(?!\\w)`).test(uses))).toEqual([])
})

test('is declared, and not written where it is thrown', async () => {
  const written = (await readUses()).flatMap((text) => [
    ...text.matchAll(/new ApiError\(\s*4\d\d,\s*'([A-Z_]+)'/g),
  ])
  // A code of the platform, which says who may come in. RATE_LIMITED comes from the platform with its `limit`.
  expect(written.map(([, code]) => code).filter((code) => code !== 'AUTH_REQUIRED')).toEqual([])
})

test('every pattern is put in words, which a refusal shows', () => {
  const patterns = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('pattern' in value && typeof value.pattern === 'string') patterns.add(value.pattern)
    for (const part of Object.values(value)) visit(part)
  }
  visit(api.contract.endpoints.map(({ operation }) => operation))
  expect(patterns.size).toBeGreaterThan(20)
  expect([...patterns].filter((pattern) => patternText(pattern) === undefined)).toEqual([])
})
