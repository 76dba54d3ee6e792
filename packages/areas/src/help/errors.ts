import { defineError, slugTakenBy } from '#platform/define-error.ts'

export const slugTaken = slugTakenBy('article or category')
export const categoryInUse = defineError({
  code: 'CATEGORY_IN_USE',
  message: 'The category has articles or subcategories: move them first',
})
export const categoryCircle = defineError({
  code: 'CATEGORY_CIRCLE',
  message: 'A category cannot be inside itself or inside one of its subcategories: send another `parent_id`',
})
export const localeIsOriginal = defineError({
  code: 'LOCALE_IS_ORIGINAL',
  message: 'The article itself is written in this language: change the article',
})
