import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const categoryId = defineId('cat', 'Help category')
export const articleId = defineId('art', 'Article')
