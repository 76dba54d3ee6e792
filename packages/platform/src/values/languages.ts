/** The languages that a project can choose for what Guildhall writes itself, such as certificates: BCP 47 tags. */
export const LANGUAGES = ['en', 'de', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

export const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text)
