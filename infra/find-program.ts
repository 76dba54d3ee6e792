import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of these programs that the machine has, or an empty text. */
export function findProgram(...names: string[]): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK)
        return join(folder, name)
      } catch {
        // Not here.
      }
    }
  }
  return ''
}

/** The machine's Chromium, or an empty text. */
export const findChromium = (): string => findProgram('chromium', 'chromium-browser', 'google-chrome')
