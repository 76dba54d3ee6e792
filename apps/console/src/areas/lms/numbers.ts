/** A number as it is typed: empty for none. */
export const typed = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value)

/** What was typed as a number; null where nothing was. What is no number is sent as it is, so that the API says why not. */
export const numberIn = (text: string): number | null => {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return null
  const value = Number(trimmed)
  return Number.isNaN(value) ? (trimmed as unknown as number) : value
}
