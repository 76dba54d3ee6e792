/** Codes of 422 that this area answers besides those that all do. */
export const SLUG_TAKEN = 'Another one has this slug'
export const CATEGORY_IN_USE = 'The category has articles or categories in it'
export const CATEGORY_CIRCLE = 'A category cannot be inside itself or inside of what is in it'
export const LOCALE_IS_ORIGINAL = 'The article itself is written in this language: change the article'
