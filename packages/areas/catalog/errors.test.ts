import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorType } from '#platform/define-error.ts'
import { startApi, type TestApi } from '#testkit/api.ts'

// Every error that an area declares in its errors.ts: a new one is covered the day it is added.

const SOURCES = join(import.meta.dirname, '../src')
let api: TestApi
let declared: ErrorType[]

beforeAll(async () => {
  api = await startApi()
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith('/errors.ts'))
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, unknown>> => import(join(SOURCES, file))),
  )
  declared = modules.flatMap((module) => Object.values(module).filter(isDeclared))
})
afterAll(() => api.close())

const isDeclared = (value: unknown): value is ErrorType => typeof value === 'function' && 'code' in value

test('is what it says when it is thrown', () => {
  expect(declared.length).toBeGreaterThan(8)
  for (const type of declared) {
    const { status, code, message } = type(new Error('the cause'))
    expect({ status, code, message }).toEqual({ status: type.status, code: type.code, message: type.message })
  }
})

test('has a text of its own, and is documented by a route', () => {
  const texts = declared.map(({ message }) => message)
  expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([])
  const document = JSON.stringify(api.contract.endpoints.map(({ operation }) => operation.responses))
  const undocumented = declared.filter(
    ({ code, message }) => !document.includes(`"${code}"`) || !document.includes(message),
  )
  expect(undocumented.map(({ code }) => code)).toEqual([])
})
