/** The options of a call, as they were given. */
export interface Given {
  readonly url?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly json?: boolean | undefined
  readonly 'no-browser'?: boolean | undefined
  readonly forward?: string | undefined
  readonly events?: string | undefined
  readonly secret?: string | undefined
  readonly since?: string | undefined
  readonly write?: boolean | undefined
}

/** Prints a result: a sentence for people, or with `--json` a line of JSON. */
export function print({ json = false }: Given, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)
}

/** What a terminal would obey, such as colors and movements of its cursor, is left out of texts of others. */
export const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys.
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
