import { expect, test } from 'vitest'
import { plainTextFaults, textFault } from './plain-texts.ts'

test.each([
  'What was bought, in full',
  'Where the browser returns to',
  'The bill is paid. What is left is credited',
  'Who made the entry: a key or a member',
  'The plans of which one opens the category',
  'The payment is to be made by hand',
])('a text is refused that says: %s', (text) => {
  expect(textFault(text)).toContain('has to be read twice')
})

test.each([
  'The bought items, in full',
  'The address to which the browser returns',
  'Whether the provider saves the card',
  'When the grant ends; null: it has no planned end',
  'The answer says what the rule would decide',
  'Who is this? An example of a question',
])('a text is let through that says: %s', (text) => {
  expect(textFault(text)).toBeUndefined()
})

test('texts of clients are looked at, and neither comments nor tests nor other code', () => {
  const faulty = "const a = { description: 'What was bought, in full' }"
  const of = (path: string, text: string) => plainTextFaults({ path, text }).length
  expect(of('packages/areas/src/shop/schema.ts', faulty)).toBe(1)
  expect(of('packages/platform/src/errors.ts', `throw new ApiError(422, 'X', "Who made the entry")`)).toBe(1)
  expect(of('packages/areas/src/shop/schema.ts', "// As in 'What was bought, in full'")).toBe(0)
  expect(of('packages/areas/src/shop/schema.test.ts', faulty)).toBe(0)
  expect(of('infra/check/rules.ts', faulty)).toBe(0)
})
