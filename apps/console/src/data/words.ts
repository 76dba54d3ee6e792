/** Texts by their English ones, for another language than English. */
type Dictionary = Readonly<Record<string, string>>

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

const STORED = 'console-language'
/** Chosen by tests alone: every text is marked and longer, and the screens stand from right to left. */
const PSEUDO = 'pseudo'
let dictionary: Dictionary | undefined
let pseudo: ((text: string) => string) | undefined

/** The language that the operator has chosen, else the browser's. */
export function presentLanguage(): Language {
  const wanted = [remembered(), ...navigator.languages].map((name) => name?.slice(0, 2))
  return (wanted.find((name) => name !== undefined && name in LANGUAGES) ?? 'en') as Language
}

/** Makes ready what `t` needs. Called before anything is shown. */
export async function loadLanguage(): Promise<void> {
  const language = presentLanguage()
  if (remembered() === PSEUDO) {
    document.documentElement.dir = 'rtl'
    pseudo = (await import('./pseudo.ts')).pseudo
  }
  document.documentElement.lang = language
  if (language === 'de') dictionary = (await import('./words-de.ts')).WORDS
}

/** Everything is shown again in this language. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(STORED, language)
  } catch {
    // A browser that stores nothing asks again in its own language.
  }
  location.reload()
}

/** The order of a text's forms; a language uses some of these. */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
type Values = Readonly<Record<string, string | number>>

/**
 * A text in the language of the operator.
 * @param text the English one, with places such as `{name}`, and words by a count such as `{count} {count:vote|votes}`: in the order of
 * the language's plural categories
 * @param values what stands in these places. Numbers are written as the language does; a count is a number.
 */
export function t(text: string, values: Values = {}): string {
  const found = withForms(dictionary?.[text] ?? text, values)
  return (pseudo?.(found) ?? found).replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    written(values[name] ?? place),
  )
}

/** Chooses the words that go with each count. */
const withForms = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+):((?:[^{}]|\{\w+\})*)\}/g, (_, name: string, forms: string) => {
    const rules = new Intl.PluralRules(spokenLanguage())
    const { pluralCategories } = rules.resolvedOptions()
    const used = CATEGORIES.filter((category) => pluralCategories.includes(category))
    const choices = forms.split('|')
    return choices[used.indexOf(rules.select(Number(values[name])))] ?? choices.at(-1) ?? ''
  })

const written = (value: string | number): string =>
  typeof value === 'number' ? value.toLocaleString(spokenLanguage()) : value

/** A word of the API such as `past_due` where it stands by itself: in the language of the operator, with a capital letter. */
export function wordOf(word: string): string {
  const text = t(word.replaceAll('_', ' '))
  return text.charAt(0).toLocaleUpperCase(spokenLanguage()) + text.slice(1)
}

/** The language of what is shown: numbers and times are written as it does. */
export const spokenLanguage = (): string => document.documentElement.lang || 'en'

function remembered(): string | undefined {
  try {
    return localStorage.getItem(STORED) ?? undefined
  } catch {
    return undefined
  }
}
