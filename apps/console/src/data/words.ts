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

/**
 * A text in the language of the operator.
 * @param text the English one, with places such as `{name}`
 * @param values what stands in these places
 */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const found = pseudo?.(text) ?? dictionary?.[text] ?? text
  return found.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** A text in the language of the operator, or undefined where this language does not have it. */
export const translated = (text: string): string | undefined =>
  dictionary === undefined || dictionary[text] !== undefined ? t(text) : undefined

function remembered(): string | undefined {
  try {
    return localStorage.getItem(STORED) ?? undefined
  } catch {
    return undefined
  }
}
