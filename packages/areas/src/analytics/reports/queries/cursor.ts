/** What a list goes on after, as an opaque text. */
export const toCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

/** The parts of a cursor of ours, or undefined for any other text. */
export function parseCursor(text: string): [number, string] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== 2) return undefined
    const [value, key] = parts
    const isOurs =
      typeof value === 'number' && typeof key === 'string' && key.isWellFormed() && !key.includes('\0')
    return isOurs ? [value, key] : undefined
  } catch {
    return undefined
  }
}
