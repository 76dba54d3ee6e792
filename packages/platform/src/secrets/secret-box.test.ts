import { expect, test } from 'vitest'
import { makeSecretBox } from './secret-box.ts'

const SECRET = 'a secret for tests only, of 32 characters or more'
const box = makeSecretBox(SECRET, 'tests')

test('a secret comes back as it was, and never looks the same twice', () => {
  const text = 'kept 🔑 safe'
  const sealed = box.seal(text, 'row')
  expect(box.open(sealed, 'row')).toBe(text)
  expect(box.seal(text, 'row')).not.toEqual(sealed)
  expect(sealed.includes(Buffer.from(text))).toBe(false)
})

test('it opens for nobody else: another owner, purpose or SECRET_KEY', () => {
  const sealed = box.seal('kept', 'row')
  expect(() => box.open(sealed, 'other row')).toThrow()
  expect(() => makeSecretBox(SECRET, 'other').open(sealed, 'row')).toThrow()
  expect(() => makeSecretBox(SECRET.toUpperCase(), 'tests').open(sealed, 'row')).toThrow()
})

test('every changed or missing byte is noticed', () => {
  const sealed = box.seal('kept', 'row')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => box.open(changed, 'row')).toThrow()
    expect(() => box.open(sealed.subarray(0, i), 'row')).toThrow()
  }
})
