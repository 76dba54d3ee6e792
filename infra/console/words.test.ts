import { readdir, readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { loadLanguage, t } from '../../apps/console/src/data/words.ts'
import { WORDS } from '../../apps/console/src/data/words-de.ts'

const SOURCES = new URL('../../apps/console/src/', import.meta.url)

/** What German says in the same way of one and of many, by the end of the English form for many. */
const SAME_IN_GERMAN = [
  ...['like|likes', 'time|times', 'visitor|visitors', 'piece|pieces', 'member who is|members who are'],
  ...['submission and its|submissions and their'],
]

const FORMS = /\{(\w+):((?:[^{}]|\{\w+\})*)\}/g
const formsIn = (text: string) =>
  [...text.matchAll(FORMS)].map(([, name = '', forms = '']) => ({ name, forms }))

/** A count before a plural, such as "{count} new members" or "{count} are". */
const PLURAL =
  /\{(?:count|n|days|hours|minutes|total|votes|views|members|files)\} (?:new |more )?(?:\w\w+s|are|have)\b/
/** What follows a count and is no plural. */
const NO_PLURAL = /\} (?:of|sent)\b/

test('each text with a count has a form for one and a form for many, in English', () => {
  const texts = Object.keys(WORDS)
  const without = texts.filter((text) => {
    const rest = text.replaceAll(FORMS, '')
    return PLURAL.test(rest) && !NO_PLURAL.test(rest)
  })
  expect(without).toEqual([])
  const forms = texts.flatMap(formsIn)
  expect(forms.length).toBeGreaterThan(80)
  expect(forms.filter(({ forms: each }) => each.split('|').length !== 2)).toEqual([])
})

test('each text with forms has them in German, where German tells one from many', () => {
  const without = Object.entries(WORDS).flatMap(([english, german]) => {
    const needed = formsIn(english).filter(({ forms }) => !SAME_IN_GERMAN.includes(forms))
    const has = formsIn(german)
    const isWhole = has.every(({ forms }) => forms.split('|').length === 2)
    const lacking = needed.filter(({ name }) => !has.some((each) => each.name === name))
    return isWhole && lacking.length === 0 ? [] : [english]
  })
  expect(without).toEqual([])
})

test('a text has one German text: of two, the one that is read last would stand on both screens', async () => {
  const folder = new URL('data/words-de/', SOURCES)
  const german = new Map<string, string>()
  const twice: string[] = []
  for (const name of await readdir(folder)) {
    const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = await import(
      new URL(name, folder).href
    )
    for (const [text, words] of Object.values(groups).flatMap(Object.entries)) {
      if (german.has(text) && german.get(text) !== words) twice.push(text)
      german.set(text, words)
    }
  }
  expect(german.size).toBeGreaterThan(1_000)
  expect(twice).toEqual([])
})

test('what the API says about each mail has a German text', () => {
  const descriptions = areas.flatMap(({ mails = {} }) =>
    Object.values(mails).map(({ description }) => description),
  )
  expect(descriptions.length).toBeGreaterThan(20)
  expect(descriptions.filter((text) => WORDS[text] === undefined)).toEqual([])
})

test('a number in a text is given as a number, which is written as the language does', async () => {
  const names = (await readdir(SOURCES, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, SOURCES), 'utf8')))
  const calls = texts.flatMap((text) => text.match(/\bt\(\s*'(?:[^'\\]|\\.)*',\s*\{[^}]*\}/g) ?? [])
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.filter((call) => call.includes('toLocaleString'))).toEqual([])
})

test('the word goes with the count, in English and in German', async () => {
  const root = { lang: 'en' }
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('navigator', { languages: ['de'] })
  const votes = (count: number) => t('{count} {count:vote|votes}', { count })
  expect([0, 1, 2, 1_234].map(votes)).toEqual(['0 votes', '1 vote', '2 votes', '1,234 votes'])
  expect(t('{amount} {count:a month|every {count} months}', { amount: '€ 1', count: 3 })).toBe(
    '€ 1 every 3 months',
  )
  await loadLanguage()
  expect([0, 1, 2, 1_234].map(votes)).toEqual(['0 Stimmen', '1 Stimme', '2 Stimmen', '1.234 Stimmen'])
  vi.unstubAllGlobals()
})
