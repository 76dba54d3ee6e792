import type { CommonKey } from './common.en.ts'
import type { Languages } from './texts.ts'

export const commonLanguages: Languages<CommonKey> = {
  de: () => import('./common.de.ts'),
  es: () => import('./common.es.ts'),
}
