import { expect, test } from 'vitest'
import { plainTextFaults, textFault } from './plain-texts.ts'

test.each([
  'What was bought, in full',
  'Where the browser returns to',
  'The bill is paid. What is left is credited',
  'Who made the entry: a key or a member',
  'The plans of which one opens the category',
  'The payment is to be made by hand',
  'A mail with a link. By the link the member confirms the address',
  'Of what do you want to get no more mails',
  'Its title: of a comment, the title of the discussion',
  'The resource is no longer as the header says',
  'The field to sort by; equal ones are sorted by id',
  'The bill is void and need not be paid',
  'The answer is what the change would charge',
  'A removed comment stays, and so does the comment below it',
  'The fonts of ours have these characters',
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
  'The address at which the browser comes back',
  'Every active member with this plan gets the message',
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
