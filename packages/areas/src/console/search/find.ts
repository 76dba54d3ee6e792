import { findMembers } from '#areas/members/service.ts'
import { findOrders } from '#areas/shop/service.ts'
import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import type { Ask } from '#platform/db/statement.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { parseId, toId } from '#platform/ids.ts'
import { findEverywhere, typedAs } from '#platform/search/everything.ts'
import type { Searcher, ShownMatch } from '#platform/search/source.ts'
import { requestNamed, thingsById, thingsByName, thingsByNumber } from './queries.ts'
import type { FoundThing } from './schema.ts'
import { THINGS } from './things.ts'

const ID = /^([a-z]+)_[0-9a-z]{26}$/
const resources = new Map(THINGS.map(({ type, is }) => [type, is]))

/** What has a screen of its own. */
const ALONE = { parent_id: null }

/** Rows of one kind that a search shows. */
const MOST = 5

/** Everybody of the team: whoever may read the project finds everything. */
const TEAM: Searcher = { isKey: true, memberId: null, planId: null, isModerator: true }

/** What has exactly this id; undefined for a text that is no id. */
export async function findById(
  data: Pick<ProjectData, 'read'>,
  text: string,
): Promise<FoundThing[] | undefined> {
  const kinds = thingsById.get(ID.exec(text)?.[1] ?? '') ?? []
  const [known] = kinds
  const id = known && parseId(known.thing.is, text)
  if (id !== undefined) {
    const found = await data.read(Object.fromEntries(kinds.map(({ ask }, i) => [i, ask({ id })])))
    const all = kinds.flatMap(({ thing: { type, parent } }, i) =>
      (found[i] ?? []).map(({ title, parent_id }) => ({
        ...{ type, id: text, title, exact: true },
        parent_id: parent === undefined || parent_id === null ? null : toId(parent.is, parent_id),
      })),
    )
    // A refund is kept with its order or bill, and for the provider.
    return [...new Map(all.map((thing) => [thing.type, thing])).values()]
  }
  const { requests } = await data.read({ requests: requestNamed({ id: text }) })
  if (requests.length === 0) return undefined
  return requests.map(({ title }) => ({ type: 'request', id: text, title, exact: true, ...ALONE }))
}

/** What has this number or code, and what has these words. Each part reads a bounded number of rows. */
export async function findByWords(
  data: Pick<ProjectData, 'read'>,
  text: string,
  { searchSources }: Pick<Catalogue, 'searchSources'>,
): Promise<FoundThing[]> {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1]
  const kinds = searchSources.map(({ kind }) => kind)
  const { numbered, named, members, orders, written } = await data.read({
    numbered: thingsByNumber({
      text: text.replace(/^#/, ''),
      number: number === undefined ? null : Number(number),
    }),
    named: thingsByName(text),
    members: findMembers({ search: text, limit: MOST }),
    orders: findOrders({ search: text, limit: MOST }),
    written: findEverywhere({
      ...typedAs(text),
      ...{ kinds, author: null, categories: null, since: null, limit: MOST * 2, offset: 0 },
      ...{ gateKinds: kinds, gateNames: kinds.map(() => '*') },
    }),
  })
  const publicly = (
    { type, id, title }: { type: string; id: string; title: string | null },
    exact: boolean,
  ) => {
    const resource = resources.get(type)
    return resource === undefined ? [] : [{ type, id: toId(resource, id), title, exact, ...ALONE }]
  }
  const found: FoundThing[] = [
    ...numbered.flatMap((each) => publicly(each, true)),
    ...members.rows.map(({ id, email, full_name }) => ({
      ...{
        type: 'member',
        id: toId('member', id),
        title: full_name === '' ? email : `${full_name} <${email}>`,
      },
      exact: email.toLowerCase() === text.toLowerCase(),
      ...ALONE,
    })),
    ...orders.rows.map(({ id, number: title }) => ({ type: 'order', id, title, exact: false, ...ALONE })),
    ...named.flatMap((each) => publicly(each, false)),
    ...(await shownOf(data, written.matches, searchSources)),
  ]
  const seen = new Set<string>()
  return found
    .toSorted((a, b) => Number(b.exact) - Number(a.exact))
    .filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** Posts, articles and courses as their areas show them. */
async function shownOf(
  data: Pick<ProjectData, 'read'>,
  matches: readonly { readonly kind: string; readonly id: string }[],
  sources: Catalogue['searchSources'],
): Promise<FoundThing[]> {
  const byKind = Map.groupBy(matches, ({ kind }) => kind)
  const asks = sources.flatMap((source): [string, Ask<readonly ShownMatch[]>][] => {
    const ids = byKind.get(source.kind)?.map(({ id }) => id)
    return ids === undefined ? [] : [[source.kind, source.show({ ids, viewer: TEAM })]]
  })
  if (asks.length === 0) return []
  const shown = await data.read(Object.fromEntries(asks))
  return Object.entries(shown).flatMap(([type, rows]) =>
    rows.map(({ publicId, title }) => ({ type, id: publicId, title, exact: false, ...ALONE })),
  )
}
