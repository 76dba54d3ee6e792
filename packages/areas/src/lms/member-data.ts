import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { removeKeptPages } from './certificates/kept-pages.ts'
import { attemptId, certificateId, courseId, enrollmentId, lessonId } from './ids.ts'

const forgetName = defineQuery('forget_certified_names', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('certificates')
    .set({ member_name: '' })
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .returning('id'),
)

/**
 * What members learn. Certificates and ratings of one who is forgotten stay, and point at the bare row of the member;
 * enrollments, progress and attempts go.
 */
export const memberData = [
  personalData({
    table: 'certificates',
    member: 'member_id',
    columns: ['id', 'course_id', 'member_name', 'course_title', 'issued_at', 'revoked_at', 'replaced_by'],
    ids: { id: certificateId, course_id: courseId, replaced_by: certificateId },
    erase: async (ctx, people) => {
      for (const { id } of await forgetName(ctx, people))
        enqueue(ctx, removeKeptPages, { certificate_id: id })
    },
  }),
  personalData({
    table: 'course_ratings',
    member: 'member_id',
    columns: ['course_id', 'rating', 'text', 'created_at', 'updated_at'],
    ids: { course_id: courseId },
    erase: async () => {},
  }),
  personalData({
    table: 'quiz_attempts',
    member: 'member_id',
    columns: [
      'id',
      'number',
      'started_at',
      'submitted_at',
      'answers',
      'points',
      'max_points',
      'percentage',
      'passed',
    ],
    ids: { id: attemptId },
  }),
  personalData({
    table: 'lesson_progress',
    member: 'member_id',
    columns: ['lesson_id', 'progress_percentage', 'last_position', 'completed_at', 'updated_at'],
    ids: { lesson_id: lessonId },
  }),
  personalData({
    table: 'enrollments',
    member: 'member_id',
    columns: [
      ...(['id', 'course_id', 'status', 'progress_percentage', 'source', 'basis'] as const),
      ...(['enrolled_at', 'expires_at', 'completed_at'] as const),
    ],
    ids: { id: enrollmentId, course_id: courseId },
  }),
]
