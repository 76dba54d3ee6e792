/** `npm run bench -- community`: what the forum, the board and the help center of one large project cost. */
import { discussionId } from '#areas/discussions/ids.ts'
import { feedbackId } from '#areas/feedback/ids.ts'
import { toId } from '#platform/ids.ts'
import { benchOf } from '../cases.ts'
import { loadMembers, makeTenants, type Tenant } from '../data.ts'
import { againstBare, type Pair } from '../pairs.ts'
import { type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { loadCommunity, pick, type Sizes, withoutWordIndexes } from './data.ts'

const FULL = {
  large: { discussions: 200_000, comments: 2_000_000, votes: 500_000, articles: 100_000 },
  ...{ members: 20_000, others: 100, rounds: 5, seconds: 2 },
}
const QUICK = {
  large: { discussions: 20_000, comments: 200_000, votes: 50_000, articles: 100_000 },
  ...{ members: 4_000, others: 5, rounds: 3, seconds: 1 },
}
/** Of each project beside the large one. */
const OTHER: Sizes = { discussions: 200, comments: 2_000, votes: 200, articles: 500 }
const MEMBERS_OF_OTHERS = 400
const CONNECTIONS = 16
const PERMISSIONS = ['read:community', 'write:community', 'read:help']
/** What is searched for. */
const WORDS = Array.from({ length: 2_000 }, (_, n) => `word${String((n * 13) % 5_000).padStart(4, '0')}`)

interface Ids {
  readonly threads: readonly string[]
  readonly items: readonly string[]
  readonly members: readonly string[]
}

/** @param of the ids as they are stored, or as the API shows them */
const pairsOf = (of: (isBare: boolean) => Ids): Omit<Pair, 'connections'>[] => [
  {
    ...{ name: 'GET a page of 20 discussions, with its total', goal: 0.8 },
    load: (prefix) => ({ method: 'GET', paths: [`${prefix}/discussions?limit=20`] }),
  },
  {
    ...{ name: 'GET a page of 20 comments of a discussion', goal: 0.8 },
    load: (prefix, isBare) => ({
      method: 'GET',
      paths: of(isBare).threads.map((id) => `${prefix}/discussions/${id}/comments?limit=20`),
    }),
  },
  {
    ...{ name: 'GET a search of the help center', goal: 0.8 },
    load: (prefix) => ({ method: 'GET', paths: WORDS.map((word) => `${prefix}/help/search?q=${word}`) }),
  },
  {
    ...{ name: 'PUT a vote for feedback', goal: 0.6 },
    load: (prefix, isBare) => ({
      method: 'PUT',
      paths: of(isBare).items.map((id) => `${prefix}/feedback/${id}/vote`),
      headers: { 'x-user-id': of(isBare).members },
    }),
  },
  {
    ...{ name: 'POST a comment', goal: 0.6 },
    load: (prefix, isBare) => ({
      method: 'POST',
      paths: of(isBare).threads.map((id) => `${prefix}/discussions/${id}/comments`),
      body: JSON.stringify({
        content: 'Mine is the **same**, number {n}.',
        author_id: of(isBare).members[0],
      }),
    }),
  },
]

export const benchCommunity = benchOf({
  full: FULL,
  quick: QUICK,
  async setUp(stage, plan) {
    say(`Loading ${plan.large.discussions.toLocaleString('en')} discussions and all that belongs to them …`)
    const tenant = await load(stage, plan)
    const stored = await readIds(stage, tenant)
    const shown: Ids = {
      threads: stored.threads.map((id) => toId(discussionId, id)),
      items: stored.items.map((id) => toId(feedbackId, id)),
      members: stored.members.map((id) => toId('member', id)),
    }
    const pairs = pairsOf((isBare) => (isBare ? stored : shown))
    return againstBare(
      stage,
      { routes: 'community', tenant, server: await serveApi(stage.rig) },
      pairs.map((pair) => ({ ...pair, connections: CONNECTIONS })),
    )
  },
})

/** Makes projects with all that belongs to them. @returns the large one */
async function load(stage: Stage, plan: typeof FULL): Promise<Tenant> {
  const { owner, place } = stage
  const [large, ...others] = (await makeTenants(place, 1 + plan.others, PERMISSIONS)) as [Tenant, ...Tenant[]]
  await loadMembers(owner, [large], plan.members)
  await loadMembers(owner, others, MEMBERS_OF_OTHERS)
  await withoutWordIndexes(owner, async () => {
    await loadCommunity(owner, large, plan.large)
    for (const other of others) await loadCommunity(owner, other, OTHER)
  })
  await vacuumAndCheckpoint(stage)
  return large
}

const readIds = async ({ owner }: Stage, tenant: Tenant): Promise<Ids> => ({
  threads: await pick(owner, tenant, 'select id from discussions where project_id = $1'),
  items: await pick(owner, tenant, 'select id from feedback where project_id = $1'),
  members: await pick(owner, tenant, "select id from members where project_id = $1 and status = 'active'"),
})
