import { fillSearch } from '#platform/search/fill.ts'
import { TYPES } from './schema.ts'

/** Lets what was written before the search be found. */
export const fillDocuments = fillSearch(TYPES)
