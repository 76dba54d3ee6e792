import { deleteMember } from '#areas/members/removal/erase.ts'
import { createMembers, restoreMember } from '#areas/members/service.ts'
import { updateProfile } from '#areas/profiles/service.ts'
import { keepFile, receiveFile } from '#areas/storage/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { DAY_MS, HOUR_MS } from './agenda.ts'
import { nameOf } from './names.ts'
import { many, NUMBER, type Part, type Scene } from './part.ts'
import { pictureOf } from './pictures.ts'

const MEMBERS = 420
const AVATARS = 24
const DAYS = 90
const CITIES = [
  'Athens',
  'Beirut',
  'Berlin',
  'Bogotá',
  'Chennai',
  'Kyiv',
  'Lagos',
  'Lisbon',
  'Shanghai',
  'Sofia',
]
const BIOS = [
  'I knit on trains.',
  'Weaver, teacher, reader of manuals.',
  'Two looms and a cat.',
  'I have come for the patterns and stay for the people.',
  'Beginner. Be patient with me.',
]
/** Of so many members, one each. Moderators look after the discussions. */
const ROLES = ['admin', 'moderator', 'moderator', 'editor', 'editor', 'editor', 'teacher', 'teacher'] as const

const findDefaultPlan = defineQuery('demo_default_plan', () =>
  query.selectFrom('plans').select('id').where('is_default', '=', true),
).single()

type Member = Parameters<typeof createMembers>[1][number]

/** Members who joined over 90 days, with profiles and pictures; a few are inactive, pending or deleted. */
export const people: Part = {
  name: 'people',
  begin: async (place) => {
    const pictures = await Promise.all(
      Array.from({ length: place.objects.isSetUp ? many(place, AVATARS) : 0 }, (_, i) =>
        receiveFile(place, place.data, {
          name: `avatar-${i + 1}.png`,
          type: 'image/png',
          bytes: pictureOf(i),
        }),
      ),
    )
    return async (scene) => {
      const { ctx, agenda, place: at } = scene
      const { id: planId } = await findDefaultPlan(ctx)
      const members = Array.from({ length: scene.many(MEMBERS) }, (_, i) => memberOf(scene, i + 1, planId))
      for (const [day, joined] of Map.groupBy(members, ({ joins }) => joins))
        agenda.at(day, () =>
          createMembers(
            ctx,
            joined.map(({ row }) => row),
          ),
        )
      const active = members.filter(({ row }) => row.status === 'active')
      for (const [i, { row, joins, short }] of active.slice(0, scene.many(120)).entries())
        agenda.at(joins + HOUR_MS, async () => {
          const picture = pictures[i]
          if (picture !== undefined)
            await keepFile(ctx, at, picture, { visibility: 'public', ownerId: row.id, purpose: 'avatar' })
          await updateProfile(ctx, row.id, {
            display_name: row.role === 'member' ? short : `${short} · ${row.role}`,
            bio: i % 3 === 0 ? BIOS[i % BIOS.length] : undefined,
            avatar_file_id: picture === undefined ? undefined : toId('file', picture.id),
            // We have made it ourselves.
            isPicture: true,
          })
        })
      leave(scene, active)
      await agenda.run()
    }
  },
}

interface NewPerson {
  readonly row: Member
  readonly joins: number
  readonly short: string
}

function memberOf({ dice, ago, place }: Scene, number: number, planId: string): NewPerson {
  const { full, short } = nameOf(dice, number)
  // More join each week; the first ones are there from the beginning.
  const back =
    number <= 40 ? DAYS : Math.floor((1 - Math.sqrt((number - 40) / (MEMBERS * place.share))) * DAYS)
  const joins = ago(Math.max(back, 0.2)) - (number % 5) * 10 * 60_000
  const latin =
    full
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.join('.') ?? ''
  const status = number % 23 === 0 ? 'inactive' : number % 19 === 0 ? 'pending' : 'active'
  const login = place.now - dice.upTo(20 * 24) * HOUR_MS - HOUR_MS
  const row: Member = {
    id: newUuid(),
    email: `${latin.length > 3 && /^[\p{Script=Latin} ]+$/u.test(full) ? latin : 'member'}.${number}@example.com`,
    full_name: full,
    avatar_url: null,
    role: number % 12 === 0 && number / 12 <= ROLES.length ? (ROLES[number / 12 - 1] as string) : 'member',
    status,
    plan_id: planId,
    metadata: JSON.stringify({ [NUMBER]: number, city: dice.one(CITIES) }),
    created_at: null,
    email_verified_at: status === 'pending' ? null : new Date(joins).toISOString(),
    last_login_at: status === 'active' && login > joins ? new Date(login).toISOString() : null,
  }
  return { row, joins, short }
}

/** Some of the members who joined last leave again, and one comes back. */
function leave({ ctx, agenda, place, ago, many: of }: Scene, active: readonly NewPerson[]): void {
  const { memberData } = place.catalogue
  for (const [i, { row, joins }] of active.slice(-of(8)).entries()) {
    if (row.role !== 'member') continue
    const at = Math.max(joins + HOUR_MS, ago(12 - i))
    agenda.at(at, () => deleteMember(ctx, memberData, { id: row.id, mode: 'soft' }))
    if (i === 0) agenda.at(Math.min(at + DAY_MS, place.now), () => restoreMember(ctx, row.id))
  }
}
