import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { isOpen, opensAt } from '../access.ts'
import { enrollmentId, lessonId } from '../ids.ts'
import { ENOUGH_PERCENT } from '../outline/schema.ts'
import type { LessonProgress } from './schema.ts'

interface Noted {
  id: string
  course: string
  member: string | null
  lesson: string
  percentage: number
  position: number | null
  /** Drip dates do not apply to keys. */
  byKey: boolean
}

const toProgress = (row: {
  enrollment_id: string
  lesson_id: string
  progress_percentage: number
  completed_at: string | null
}): LessonProgress => ({
  enrollment_id: toId(enrollmentId, row.enrollment_id),
  lesson_id: toId(lessonId, row.lesson_id),
  is_completed: row.completed_at !== null,
  progress_percentage: row.progress_percentage,
  ...(row.completed_at !== null && { completed_at: row.completed_at }),
})

const answered = ['enrollment_id', 'lesson_id', 'progress_percentage', 'completed_at'] as const

/**
 * Notes how far somebody is in a lesson that this does not complete, in one statement: most posts are of this kind,
 * sent every few seconds while a video plays. It changes nothing if anything stands in the way, or if the lesson would
 * be completed.
 * @returns undefined where nothing was noted, and it takes more than this
 */
export const noteProgress = defineQuery('note_progress', (v: Noted) =>
  query
    .insertInto('lesson_progress')
    .columns([
      'id',
      'enrollment_id',
      'member_id',
      'lesson_id',
      'progress_percentage',
      'last_position',
      'updated_at',
    ])
    .expression(
      query
        .selectFrom('enrollments as e')
        .innerJoin('members as m', 'm.id', 'e.member_id')
        .innerJoin('lessons as l', 'l.course_id', 'e.course_id')
        .leftJoin('lesson_progress as b', (on) =>
          on.onRef('b.enrollment_id', '=', 'e.id').onRef('b.lesson_id', '=', 'l.id'),
        )
        .select([
          sql<string>`${v.id}::uuid`.as('id'),
          'e.id as enrollment_id',
          'e.member_id',
          'l.id as lesson_id',
          sql<number>`${v.percentage}::integer`.as('progress_percentage'),
          sql<number | null>`${v.position}::double precision`.as('last_position'),
          now.as('updated_at'),
        ])
        .where('e.course_id', '=', v.course)
        .where('e.member_id', '=', v.member)
        .where('l.id', '=', v.lesson)
        .where('l.deleted_at', 'is', null)
        .where('m.status', '=', 'active')
        .where('m.deleted_at', 'is', null)
        .where(isOpen)
        .where(sql<boolean>`(${v.byKey}::boolean or ${opensAt} <= ${now})`)
        .where(
          sql<boolean>`(b.completed_at is not null or l.completion_rule <> 'percent'
            or ${v.percentage}::integer < ${sql.lit(ENOUGH_PERCENT)})`,
        ),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'enrollment_id', 'lesson_id']).doUpdateSet({
        progress_percentage: sql<number>`greatest(lesson_progress.progress_percentage, excluded.progress_percentage)`,
        last_position: sql<number>`coalesce(excluded.last_position, lesson_progress.last_position)`,
        updated_at: now,
      }),
    )
    .returning(answered),
)
  .shape(toProgress)
  .first()

/** Whether the lesson was completed by a key or by a passed quiz, which no member can undo. */
const isLasting = sql<boolean>`(p.completed_at is not null and (
  p.completed_by_key or l.completion_rule in ('manual', 'quiz') or exists (
    select from quiz_attempts a join quizzes q on q.id = a.quiz_id
    where q.lesson_id = l.id and a.enrollment_id = e.id and a.passed)))`

/** A lesson of a course with how far an enrollment has come in it; undefined where the course has no such lesson. */
export const findLessonToDo = defineQuery(
  'lesson_to_do',
  (v: { course: string; lesson: string; enrollment: string }) =>
    query
      .selectFrom('lessons as l')
      .innerJoin('enrollments as e', 'e.course_id', 'l.course_id')
      .leftJoin('lesson_progress as p', (on) =>
        on.onRef('p.enrollment_id', '=', 'e.id').onRef('p.lesson_id', '=', 'l.id'),
      )
      .select(['l.id', 'l.completion_rule', 'p.progress_percentage', 'p.completed_at'])
      .select(isLasting.as('is_lasting'))
      .select(sql<boolean>`${opensAt} <= ${now}`.as('has_begun'))
      .where('l.id', '=', v.lesson)
      .where('l.course_id', '=', v.course)
      .where('e.id', '=', v.enrollment)
      .where('l.deleted_at', 'is', null),
).first()

interface Saved {
  id: string
  enrollment: string
  member: string
  lesson: string
  percentage: number
  position: number | null
  completes: boolean
  /** Whether a key says that the lesson is done. */
  byKey: boolean
}

/** Stores progress. It never goes back, and a completed lesson stays completed. */
export const saveProgress = defineQuery('save_progress', (v: Saved) =>
  query
    .insertInto('lesson_progress')
    .values({
      id: v.id,
      enrollment_id: v.enrollment,
      member_id: v.member,
      lesson_id: v.lesson,
      progress_percentage: v.percentage,
      last_position: v.position,
      completed_at: sql`case when ${v.completes}::boolean then ${now} end`,
      completed_by_key: v.byKey,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'enrollment_id', 'lesson_id']).doUpdateSet({
        progress_percentage: sql<number>`greatest(lesson_progress.progress_percentage, excluded.progress_percentage)`,
        last_position: sql<number>`coalesce(excluded.last_position, lesson_progress.last_position)`,
        completed_at: sql<string>`coalesce(lesson_progress.completed_at, excluded.completed_at)`,
        completed_by_key: sql<boolean>`lesson_progress.completed_by_key or excluded.completed_by_key`,
        updated_at: now,
      }),
    )
    .returning(answered),
)
  .map(toProgress)
  .single()

/** Forgets how far somebody was in a lesson. */
export const resetProgress = defineQuery('reset_progress', (v: { enrollment: string; lesson: string }) =>
  query
    .deleteFrom('lesson_progress')
    .where('enrollment_id', '=', v.enrollment)
    .where('lesson_id', '=', v.lesson),
)
