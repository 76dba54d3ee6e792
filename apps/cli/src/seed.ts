import { createKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { createMember, prepareMember } from '#areas/members/service.ts'
import { createPlan } from '#areas/plans/service.ts'
import { updateProfile } from '#areas/profiles/service.ts'
import { createProject, listProjects, tenantOf } from '#areas/projects/service.ts'
import { permissionsOf } from '#platform/area.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import { Passwords } from '#platform/secrets/passwords.ts'
import { CREATED, mark } from './demo/marks.ts'
import { openOperator, type Place } from './operator.ts'
import { seedRules, seedSubscriptions } from './seed-access.ts'
import { seedAnalytics } from './seed-analytics.ts'
import { seedCourse } from './seed-course.ts'
import { type RenderedThreads, renderThreads, seedDiscussions } from './seed-discussions.ts'
import { seedFeedback } from './seed-feedback.ts'
import { seedForm } from './seed-form.ts'
import { seedHelp } from './seed-help.ts'
import { seedShop } from './seed-shop.ts'

const DEMO = 'Demo'
/** Members, with the names that they show each other. */
const MEMBERS = [
  {
    ...{ display_name: 'Ada', email: 'ada@example.com', full_name: 'Ada Lovelace' },
    metadata: { company: 'Analytical Engines' },
  },
  { display_name: 'Grace', email: 'grace@example.com', full_name: 'Grace Hopper', role: 'admin' },
  {
    ...{ display_name: 'Katherine', email: 'katherine@example.com', full_name: 'Katherine Johnson' },
    status: 'pending' as const,
  },
]

/** The keys of the demo project. */
export interface Keys {
  readonly secretKey: string
  readonly publicKey: string
}

/** Makes the demo project. @returns its keys, shown this once; undefined where there is a project already */
export async function seedDemo(place: Place): Promise<Keys | undefined> {
  const operator = openOperator(place)
  try {
    if ((await listProjects(operator.operators)).length > 0) return undefined
  } finally {
    await operator.close()
  }
  return makeDemo(place)
}

/**
 * Makes a demo project with a secret key, a public key, three plans, three members, two subscriptions, a form that was
 * submitted, discussions, a course with a quiz, three months of traffic, a feedback board, a help center, a shop and rules
 * that protect pages, in its test environment.
 * @returns its keys, shown this once
 */
export async function makeDemo(place: Place): Promise<Keys> {
  const operator = openOperator(place)
  try {
    const project = await createProject(operator.operators, { name: DEMO, tier: 'pro' })
    const passwords = new Passwords()
    const tenant = await tenantOf(operator.operators, project.id, 'test')
    const prepared = await Promise.all(MEMBERS.map((member) => prepare(member, passwords)))
    const threads = await renderThreads(tenant)
    const data = await operator.dataOf(tenant)
    return await data.write(async (ctx) => {
      const keys = await makeKeys(ctx)
      await fill(ctx, prepared, threads)
      mark(ctx, CREATED, project.id)
      return keys
    })
  } finally {
    await operator.close()
  }
}

const prepare = async ({ display_name, ...member }: (typeof MEMBERS)[number], passwords: Passwords) => ({
  ...{ display_name, ...(await prepareMember(member, passwords)) },
})

/** A secret key with all permissions, and a public key. */
async function makeKeys(ctx: Context): Promise<Keys> {
  const permissions = permissionsOf(areas)
  const { key: secretKey } = await createKey(
    ctx,
    'test',
    {
      type: 'secret',
      name: 'Demo',
      permissions: ['admin'],
      created_by: 'operator',
    },
    permissions,
  )
  const { key: publicKey } = await createKey(
    ctx,
    'test',
    {
      type: 'public',
      name: 'Demo',
      capabilities: ['catalog', 'submit', 'track', 'access'],
      created_by: 'operator',
    },
    permissions,
  )
  return { secretKey, publicKey }
}

/** Adds plans, members and what they did. */
async function fill(
  ctx: Context,
  prepared: readonly Awaited<ReturnType<typeof prepare>>[],
  threads: RenderedThreads,
): Promise<void> {
  const terms = { currency: 'eur', interval: 'month' } as const
  const supporter = await createPlan(ctx, { ...terms, name: 'Supporter', price: 9.5, rank: 10 })
  const patron = await createPlan(ctx, {
    ...terms,
    name: 'Patron',
    price: 29,
    rank: 20,
    trial_days: 14,
    features: ['patterns'],
  })
  const members = []
  for (const { display_name, ...member } of prepared) {
    members.push(await createMember(ctx, member))
    await updateProfile(ctx, member.row.id, { display_name, bio: undefined, avatar_file_id: undefined })
  }
  await seedForm(ctx)
  // The seeds have no thumbnails, so nothing depends on the address of the API.
  await seedCourse(ctx, { BASE_URL: '' }, members[0]?.id ?? '')
  const active = members.filter(({ status }) => status === 'active')
  await seedAnalytics(
    ctx,
    active.map(({ id }) => parseId('member', id) ?? ''),
  )
  const stored = members.slice(0, 2).map(({ id }) => parseId('member', id) ?? '')
  await seedDiscussions(ctx, stored, threads)
  const [ada, grace] = prepared.map(({ row }) => row.id)
  await seedFeedback(ctx, [ada ?? '', grace ?? ''])
  await seedHelp(ctx)
  await seedShop(ctx)
  await seedRules(ctx, patron.id)
  await seedSubscriptions(ctx, [ada ?? '', grace ?? ''], [patron.id, supporter.id])
}
