import type { ProjectData } from '#platform/db/tenant.ts'
import { access, files } from './access.ts'
import { community } from './community.ts'
import { courses } from './courses.ts'
import { developers } from './developers.ts'
import { feedback } from './feedback.ts'
import { forms } from './forms.ts'
import { help } from './help.ts'
import { CREATED, lockPart, mark, readMarks } from './marks.ts'
import { moderation } from './moderation.ts'
import { type DemoPlace, type Part, sceneOf } from './part.ts'
import { people } from './people.ts'
import { shop } from './shop.ts'
import { subscriptions } from './subscriptions.ts'

/**
 * All parts, in steps. The rows of a step are made beside each other, and the parts of a row after each other: each waits for the
 * database most of its time. What locks the same members and enrollments is in one row.
 */
export const STEPS: readonly (readonly (readonly Part[])[])[] = [
  [[developers, people]],
  [
    [subscriptions, shop, courses],
    [community, feedback, help, forms],
  ],
  [[moderation, access, files]],
]

/** Whether a project was made as a demo. */
export async function isDemo(data: ProjectData): Promise<boolean> {
  const { marks } = await data.read({ marks: readMarks() })
  return marks.includes(CREATED)
}

/** How long a part took; undefined where it was there already. */
export interface Filled {
  readonly part: string
  readonly ms: number
}

/**
 * Fills a demo project with 90 days, part by part. Each part is one transaction: a run that is ended in the middle goes on with
 * the parts that were not finished, and one that finds everything does nothing.
 * @param project the public id, for the audit log
 * @returns the parts that this run has made
 * @throws Error for a project that was not made as a demo
 */
export async function fillDemo(place: DemoPlace, project: string, steps = STEPS): Promise<Filled[]> {
  if (!(await isDemo(place.data))) throw new Error('only a project that was made as a demo is filled')
  const filled: Filled[] = []
  const fillRow = async (parts: readonly Part[]) => {
    for (const part of parts) {
      const made = await fillPart(place, project, part)
      if (made !== undefined) filled.push(made)
    }
  }
  for (const rows of steps) {
    const ends = await Promise.allSettled(rows.map(fillRow))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
  return filled
}

/** Makes a part, unless it is there. */
async function fillPart(place: DemoPlace, project: string, part: Part): Promise<Filled | undefined> {
  const { marks } = await place.data.read({ marks: readMarks() })
  if (marks.includes(part.name)) return undefined
  const began = performance.now()
  const write = await part.begin(place)
  const isMade = await place.data.write(async (ctx) => {
    lockPart(ctx, { name: part.name })
    // Another run has made it meanwhile.
    if ((await readMarks(ctx)).includes(part.name)) return false
    await write(sceneOf(ctx, place, part))
    mark(ctx, part.name, project)
    return true
  })
  return isMade ? { part: part.name, ms: Math.round(performance.now() - began) } : undefined
}
