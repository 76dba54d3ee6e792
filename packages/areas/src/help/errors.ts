import { defineError } from '#platform/define-error.ts'

export const slugTaken = defineError({
  code: 'SLUG_TAKEN',
  message: 'Another article or category has this slug: choose another slug',
  details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
})
export const categoryInUse = defineError({
  code: 'CATEGORY_IN_USE',
  message: 'The category has articles or subcategories: move them first',
})
export const categoryCircle = defineError({
  code: 'CATEGORY_CIRCLE',
  message: 'A category cannot be inside itself or inside one of its subcategories',
})
export const localeIsOriginal = defineError({
  code: 'LOCALE_IS_ORIGINAL',
  message: 'The article itself is written in this language: change the article',
})
