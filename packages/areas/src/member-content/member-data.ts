import { personalData } from '#platform/catalogue/personal-data.ts'
import { ruleId } from './ids.ts'

/** The pages that members saw for free, for as long as they count. */
export const memberData = [
  personalData({
    table: 'content_free_views',
    member: 'member_id',
    columns: ['rule_id', 'month', 'paths'],
    ids: { rule_id: ruleId },
  }),
]
