import type { ArticleVisibility } from '@guildhall/sdk'
import { t } from '../../data/words.ts'

export const VISIBILITIES: readonly ArticleVisibility[] = ['public', 'members', 'internal']

export const visibilityName = (visibility: string): string =>
  ({ public: t('Everybody'), members: t('Members'), internal: t('The team only') })[visibility] ?? visibility

/** A language in the words of the operator, with its tag: "German (de)". */
export function languageName(tag: string): string {
  const names = new Intl.DisplayNames([document.documentElement.lang || 'en'], {
    type: 'language',
    fallback: 'none',
  })
  try {
    const name = names.of(tag)
    return name === undefined ? tag : `${name} (${tag})`
  } catch {
    return tag
  }
}
