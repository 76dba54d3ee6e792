/** Texts by their names. `{name}` in a text is replaced by a value. */
export type Texts<Key extends string = string> = Readonly<Record<Key, string>>

/** The texts in another language, loaded when they are needed. */
export type Languages<Key extends string> = Readonly<
  Record<'de' | 'es', () => Promise<{ readonly texts: Texts<Key> }>>
>

/** Puts values into a text. */
export const withValues = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** The texts for a language, or undefined for one that is not there: then English is shown. */
export async function textsFor<Key extends string>(
  languages: Languages<Key>,
  tag: string,
): Promise<Texts<Key> | undefined> {
  const [language] = tag.split('-')
  return language === 'de' || language === 'es' ? (await languages[language]()).texts : undefined
}
