import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { type LockedEnrollment, lockEnrollment } from '../enrollments/queries.ts'
import { enrollmentEnded, lessonNotOpen, notACourse, notALesson } from '../errors.ts'
import { lessonCompleted } from '../events.ts'
import { courseId, enrollmentId, lessonId } from '../ids.ts'
import { ENOUGH_PERCENT } from '../outline/schema.ts'
import { updateCompletion } from './completion.ts'
import { findLessonToDo, noteProgress, resetProgress, saveProgress } from './queries.ts'
import type { LessonProgress, ProgressPost } from './schema.ts'

/** What is posted, with stored ids. */
export interface Post {
  readonly course: string
  readonly lesson: string
  readonly percentage: number
  readonly position: number | null
  readonly completed: boolean
  readonly reset: boolean
}

/** @throws ApiError 422 for what is no id of a course or a lesson */
export function toPost(input: ProgressPost): Post {
  const course = parseId(courseId, input.course_id)
  if (course === undefined) throw notACourse('course_id')
  const lesson = parseId(lessonId, input.lesson_id)
  if (lesson === undefined) throw notALesson()
  return {
    course,
    lesson,
    percentage: Math.floor(input.progress_percentage ?? 0),
    position: input.last_position ?? null,
    completed: input.completed ?? false,
    reset: input.reset ?? false,
  }
}

/** Whether a post can be one of those that complete nothing. */
export const isJustNoted = (post: Post, who: WhoActs): boolean =>
  !post.completed && !post.reset && who.memberId !== undefined

/** Notes such a post. Undefined where it takes more than that, or something stands in its way. */
export const note = (who: WhoActs, { course, lesson, percentage, position }: Post) =>
  noteProgress({
    ...{ id: newUuid(), course, lesson, percentage, position },
    member: who.memberId ?? null,
    byKey: !who.byToken,
  })

/**
 * Records progress, and completes what it completes. A key's word that a lesson is done always counts; a token's counts
 * by the lesson's rule. Anything else that was posted is kept all the same. A token resets neither what a key completed
 * nor a passed quiz.
 * @throws ApiError 404 for somebody who is not enrolled; 422 for a lesson of another course, ENROLLMENT_ENDED,
 * LESSON_NOT_OPEN
 */
export async function recordProgress(ctx: Context, who: WhoActs, post: Post): Promise<LessonProgress> {
  const member = actingMember(ctx, who)
  const locked = lockEnrollment(ctx, { course: post.course, member: who.memberId ?? null })
  await member
  const enrollment = await locked
  assertOpen(enrollment)
  const lesson = await findLessonToDo(ctx, { ...post, enrollment: enrollment.id })
  if (lesson === undefined) throw notALesson()
  if (who.byToken && !lesson.has_begun) throw lessonNotOpen()

  const resets = post.reset && !(who.byToken && lesson.is_lasting)
  if (resets) resetProgress(ctx, { enrollment: enrollment.id, lesson: post.lesson })
  const before = resets ? undefined : lesson
  const reached = Math.max(post.percentage, before?.progress_percentage ?? 0)
  const isComplete = before?.completed_at != null
  const completes = !isComplete && isDone(lesson.completion_rule, post, who, reached)
  const saved = await saveProgress(ctx, {
    id: newUuid(),
    enrollment: enrollment.id,
    member: enrollment.member_id,
    lesson: post.lesson,
    percentage: completes ? 100 : post.percentage,
    position: post.position,
    completes,
    byKey: post.completed && !who.byToken,
  })
  if (completes) announceLesson(ctx, enrollment, post.lesson, saved.completed_at ?? '')
  if (completes || resets) await updateCompletion(ctx, enrollment.id)
  return saved
}

/** Completes a lesson because its quiz is passed. The caller holds the enrollment. */
export async function completeLesson(
  ctx: Context,
  enrollment: LockedEnrollment,
  lesson: string,
): Promise<void> {
  const before = await findLessonToDo(ctx, {
    course: enrollment.course_id,
    lesson,
    enrollment: enrollment.id,
  })
  if (before === undefined || before.completed_at !== null) return
  const saved = await saveProgress(ctx, {
    id: newUuid(),
    enrollment: enrollment.id,
    member: enrollment.member_id,
    lesson,
    percentage: 100,
    position: null,
    completes: true,
    byKey: false,
  })
  announceLesson(ctx, enrollment, lesson, saved.completed_at ?? '')
  await updateCompletion(ctx, enrollment.id)
}

/** @throws ApiError 404 where there is no enrollment; 422 where its access has ended */
export function assertOpen(enrollment: LockedEnrollment | undefined): asserts enrollment is LockedEnrollment {
  if (enrollment === undefined || enrollment.status === 'canceled') throw notFound('Enrollment')
  if (!enrollment.is_open) throw enrollmentEnded()
}

/** Whether a lesson is done by its rule. */
function isDone(rule: string, { completed }: Post, { byToken }: WhoActs, reached: number): boolean {
  if (completed && !byToken) return true
  if (rule === 'percent') return reached >= ENOUGH_PERCENT
  return rule === 'view' && completed
}

function announceLesson(
  ctx: Context,
  enrollment: LockedEnrollment,
  lesson: string,
  completedAt: string,
): void {
  const lesson_id = toId(lessonId, lesson)
  emit(ctx, lessonCompleted, {
    id: lesson_id,
    lesson_id,
    course_id: toId(courseId, enrollment.course_id),
    enrollment_id: toId(enrollmentId, enrollment.id),
    student_id: toId('member', enrollment.member_id),
    completed_at: completedAt,
  })
}
