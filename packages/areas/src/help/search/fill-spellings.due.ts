import { fillSpellings } from '#platform/search/fill-spellings.ts'
import { ARTICLE } from '../articles/changes.ts'
import { listFindable } from '../articles/queries.ts'

export const fillArticleSpellings = fillSpellings(ARTICLE, listFindable)
