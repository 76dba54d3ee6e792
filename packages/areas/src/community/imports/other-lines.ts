import { together } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { FieldFault } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import {
  findCategories,
  findMembers,
  findPlans,
  insertCategories,
  insertFiles,
  insertFormer,
} from './others.ts'
import type { Prepared } from './prepare.ts'
import { chooseId, type IdMap, oldIdOf, ownIdOf, type Special } from './resolve.ts'

const stringOf = (line: Prepared, field: string): string => String(line.value[field] ?? '')

/**
 * Finds out who the members of a file are here: whoever has the id, or else the address. An erased member of the file becomes
 * one here. Others are no members of this project: import the members first.
 */
export async function addMembers(ctx: Context, lines: readonly Prepared[], map: IdMap): Promise<Special> {
  const idIn = (line: Prepared) => {
    const own = ownIdOf(line)
    return own && oldIdOf(own)?.old_id
  }
  const here = await findMembers(ctx, {
    ids: lines.flatMap((line) => idIn(line) ?? []),
    emails: lines.flatMap((line) => stringOf(line, 'email').toLowerCase() || []),
  })
  const byId = new Set(here.filter(({ email }) => email === null).map(({ id }) => id))
  const byEmail = new Map(here.flatMap(({ id, email }) => (email === null ? [] : [[email, id] as const])))
  const who = (line: Prepared): string | undefined => {
    const old = idIn(line)
    if (old !== undefined && byId.has(old)) return old
    return (
      byEmail.get(stringOf(line, 'email').toLowerCase()) ?? (line.value['former'] === true ? old : undefined)
    )
  }
  const former: string[] = []
  return {
    faultsOf: (line) =>
      line.faults.length > 0 || idIn(line) === undefined || who(line) !== undefined ? [] : [STRANGER],
    idOf: (line) => {
      const chosen = chooseId(line, map, () => false)
      if (chosen === undefined || 'rule' in chosen) return chosen
      const id = who(line) ?? newUuid()
      if (line.value['former'] === true && !byId.has(id) && ![...byEmail.values()].includes(id))
        former.push(id)
      return { old: chosen.old, id }
    },
    make: async () => {
      if (former.length > 0) await insertFormer(ctx, { ids: former })
    },
  }
}

const STRANGER: FieldFault = {
  field: 'email',
  rule: 'exists',
  message: 'is no member of this project: import the members first',
}

/** A category of the same slug is the one that is here already. Plans are named by their slugs. */
export async function addCategories(ctx: Context, lines: readonly Prepared[], map: IdMap): Promise<Special> {
  const sound = lines.filter(({ faults }) => faults.length === 0)
  const plansIn = (line: Prepared) => line.value['required_plans'] as readonly string[]
  const { found, plans } = await together(ctx, {
    found: findCategories({ slugs: sound.map((line) => stringOf(line, 'slug')) }),
    plans: findPlans({ slugs: sound.flatMap(plansIn) }),
  })
  const here = new Map(found.map(({ slug, id }) => [slug, id]))
  const planOf = new Map(plans.map(({ slug, id }) => [slug, id]))
  const slugs = new Set<string>()
  return {
    faultsOf: (line) => {
      if (line.faults.length > 0) return []
      const slug = stringOf(line, 'slug')
      const missing: FieldFault[] = plansIn(line).flatMap((plan, i) =>
        planOf.has(plan)
          ? []
          : [
              {
                field: `required_plans[${i}]`,
                rule: 'exists',
                message: 'is not the slug of a plan of this project',
              },
            ],
      )
      if (slugs.has(slug))
        missing.push({ field: 'slug', rule: 'unique', message: 'is the slug of a line before this one' })
      slugs.add(slug)
      return missing
    },
    idOf: (line) => {
      const chosen = chooseId(line, map, () => false)
      const known = here.get(stringOf(line, 'slug'))
      if (chosen === undefined || 'rule' in chosen || known === undefined) return undefined
      return { old: chosen.old, id: known }
    },
    make: async (_ctx, _record, accepted) => {
      const rows = accepted
        .filter(({ line }) => !here.has(stringOf(line, 'slug')))
        .map(({ line, row, id }) => ({
          ...row,
          id,
          required_plans: plansIn(line).flatMap((plan) => planOf.get(plan) ?? []),
        }))
      if (rows.length > 0) await insertCategories(ctx, { rows: JSON.stringify(rows) })
    },
  }
}

/** Files are known before their bytes come, so that posts can refer to them. */
export const addFiles = (): Special => ({
  faultsOf: () => [],
  make: async (ctx, _record, accepted) => {
    const rows = accepted.map(({ row, id }) => ({ ...row, id }))
    if (rows.length > 0) await insertFiles(ctx, { rows: JSON.stringify(rows) })
  },
})
