/** The resources of this area, by the name of their ids. */
export const categoryId = 'help category'
export const articleId = 'article'
export const planId = 'plan'
