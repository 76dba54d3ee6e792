import type {
  CourseDetail,
  CourseModule,
  GetGradebookQuery,
  Guildhall,
  Lesson,
  ListCourseRatingsQuery,
  ListCoursesQuery,
  Options,
  Quiz,
} from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { linkedPage } from '../../data/linked-page.ts'
import { PAGE_SIZE, useList, useProject } from '../../data/list-query.ts'
import { useRead } from '../../data/read.ts'

/** Everything of courses is read again after a change: what members reach, counts and grades depend on each other. */
const BASE = 'courses'
/** So many are asked for at once where the list has no numbers of pages. */
const MANY = 100

export const useCourses = () =>
  useList(BASE, (client, { page = 1, ...query }, signal) => {
    const asked = { status: 'all', ...query, limit: MANY, include: ['currency', 'created_at'] }
    return linkedPage(client.lms.courses.list(asked as ListCoursesQuery, { signal }), page, PAGE_SIZE)
  })

/** The courses that another one can require: a project has 1,000 at the most. */
export function useAllCourses() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'all'],
    queryFn: async ({ signal }) => {
      const all: { readonly id: string; readonly title: string }[] = []
      for await (const { id, title } of client.lms.courses.list(
        { status: 'all', limit: MANY, sort: 'title', order: 'asc' },
        { signal },
      ))
        all.push({ id, title })
      return all
    },
  })
}

export const useCourse = (id: string) =>
  useRead<CourseDetail>([BASE, id], (client, options) => client.lms.courses.get(id, options))

/** Keeps a thing apart that is read before it is deleted: a refresh does not ask for what is gone. */
export const TO_DELETE = 'to-delete'

export const useLesson = (id: string, base = BASE) =>
  useRead<Lesson>([base, 'lesson', id], (client, options) => client.lms.lessons.get(id, options))

export const useModule = (id: string, base = BASE) =>
  useRead<CourseModule>([base, 'module', id], (client, options) => client.lms.modules.get(id, options))

/** The quiz of a lesson as it is now; null for a lesson whose quiz nobody has written yet. */
export async function readQuiz(
  client: Guildhall,
  lesson: string,
  options: Pick<Options, 'signal'> = {},
): Promise<Quiz | null> {
  try {
    return await client.lms.lessons.quiz.get(lesson, {}, options)
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null
    throw error
  }
}

export function useQuiz(lesson: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'quiz', lesson],
    queryFn: ({ signal }) => readQuiz(client, lesson, { signal }),
  })
}

/** The attempts of a member at the quizzes of some lessons, by the lesson. */
export function useAttempts(student: string | undefined, lessons: readonly string[]) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'attempts', student, lessons],
    enabled: student !== undefined && lessons.length > 0,
    queryFn: async ({ signal }) => {
      const asked = lessons.map(async (lesson) => {
        const quiz = await client.lms.lessons.quiz.get(lesson, { student_id: student ?? '' }, { signal })
        return { lesson, max_attempts: quiz.max_attempts, attempts: quiz.attempts ?? [] }
      })
      return Promise.all(asked)
    },
  })
}

export const useGradebook = (id: string) =>
  useList(`${BASE}/${id}/enrollments`, (client, query, signal) =>
    client.lms.courses.gradebook.list(id, query as GetGradebookQuery, { signal }),
  )

/** How many are enrolled in a course and have not completed it. */
export function useActiveCount(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'active'],
    queryFn: async ({ signal }) => {
      const { pagination } = await client.lms.courses.gradebook.list(
        id,
        { status: 'active', limit: 1 },
        { signal },
      )
      return pagination.total ?? 0
    },
  })
}

export const useRatings = (id: string) =>
  useList(`${BASE}/${id}/ratings`, (client, query, signal) =>
    client.lms.courses.ratings.list(id, { ...query, include: ['author'] } as ListCourseRatingsQuery, {
      signal,
    }),
  )

export const useEnrollment = (id: string) =>
  useRead([BASE, 'enrollment', id], (client, options) => client.lms.enrollments.get(id, options))

export function useProgress(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'progress', id],
    queryFn: async ({ signal }) => {
      const [progress, blockers] = await Promise.all([
        client.lms.enrollments.progress.get(id, { signal }),
        client.lms.enrollments.blockers.list(id, { signal }),
      ])
      return { ...progress, blockers }
    },
  })
}

export function useCertificate(id: string | null | undefined) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'certificate', id],
    enabled: typeof id === 'string',
    queryFn: async ({ signal }) => {
      const answer = await client.lms.certificates.get(id ?? '', {}, { signal })
      const { data } = (await answer.json()) as { data: import('@guildhall/sdk').Certificate }
      return data
    },
  })
}

/**
 * Changes something of courses; what shows any of it is read again before `onDone`.
 * @param act is given the client and what `mutate` is called with
 */
export function useChange<Input = void, Answer = unknown>(
  act: (client: Guildhall, input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => unknown = () => undefined,
) {
  const { client } = useProject()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (input: Input) => act(client, input),
    onSuccess: async (answer) => {
      await refresh()
      await onDone(answer)
    },
  })
}

export function useRefresh(): () => Promise<void> {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
        ofProject === project && ofSide === side && String(name).startsWith(BASE),
    })
}
