import { courseId } from '#areas/lms/ids.ts'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { grantId } from './ids.ts'

/** Grants of members. A forgotten member has none. */
export const memberData = [
  personalData({
    table: 'grants',
    member: 'member_id',
    columns: [
      ...(['id', 'source_type', 'plan_id', 'features', 'course_id', 'starts_at', 'expires_at'] as const),
    ],
    ids: { id: grantId, plan_id: 'plan', course_id: courseId },
  }),
]
