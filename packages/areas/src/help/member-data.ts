import { personalData } from '#platform/catalogue/personal-data.ts'
import { articleId } from './ids.ts'

/** Whom an article helped. Searches and views name nobody. */
export const memberData = [
  personalData({
    table: 'help_votes',
    member: 'member_id',
    columns: ['id', 'article_id', 'helpful', 'created_at'],
    ids: { article_id: articleId },
  }),
]
