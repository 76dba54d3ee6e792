import {
  enroll,
  makeAttempt,
  makeCertificate,
  makeCourse,
  makeDraft,
  makeModule,
  makeQuiz,
} from '#testkit/areas/lms.ts'
import type { Side } from '#testkit/factories.ts'

/** What the paths of courses name. */
export const samples = {
  crs: (side: Side) => makeDraft(side),
  mod: async (side: Side) => makeModule(side, (await makeDraft(side)).id),
  les: async (side: Side) => (await makeQuiz(side)).lesson,
  quiz: async (side: Side) => {
    const { course, quiz } = await makeQuiz(side)
    await enroll(side, course.id, await side.member())
    return quiz
  },
  enr: async (side: Side) => enroll(side, (await makeCourse(side)).id, await side.member()),
  att: makeAttempt,
  cert: async (side: Side) => makeCertificate(side, await side.member()),
}
