import type { Catalogue, MemberMails } from './catalogue/catalogue.ts'
import type { ModeratedKind } from './catalogue/moderated.ts'
import type { PaymentHandlers } from './catalogue/payment-handler.ts'
import type { PersonalData } from './catalogue/personal-data.ts'
import type { TopicGroup } from './catalogue/topic.ts'
import { type ErrorType, errorsIn } from './define-error.ts'
import type { EventType } from './events/emit.ts'
import type { Routes } from './http/api.ts'
import { forgetIdempotencyKeys } from './http/idempotency/delete-expired-keys.schedule.ts'
import type { IdType } from './ids.ts'
import type { Background } from './jobs/background.ts'
import { queueMeasures } from './jobs/queues/queue-measures.ts'
import type { Schedule } from './jobs/schedules/define-schedule.ts'
import type { DueWork } from './jobs/schedules/due-work.ts'
import { analyzeGrownTables, deleteFinishedJobs, deleteOldEvents } from './jobs/schedules/housekeeping.ts'
import { findDueWork, workOffDue } from './jobs/schedules/work-off-due.ts'
import type { Permission } from './keys/permissions.ts'
import type { MailType } from './mail/define-mail.ts'
import type { SearchSource } from './search/source.ts'
import { rotateSigningKeys } from './tokens/rotate-signing-key.schedule.ts'

/** The schedules of what belongs to no area. */
const platformSchedules: readonly Schedule[] = [
  analyzeGrownTables,
  deleteFinishedJobs,
  deleteOldEvents,
  forgetIdempotencyKeys,
  rotateSigningKeys,
]

/** Everything that one area adds to Guildhall: its manifest. Fields that are left out add nothing. */
export interface Area {
  /** The folder's name; `kebab-case`. */
  readonly name: string
  /** The headings of its endpoints in the API's document, each with its description. A single one needs no mention in routes. */
  readonly tags?: Readonly<Record<string, string>>
  /** The module of its ids, each made by `defineId`. */
  readonly ids?: Readonly<Record<string, IdType>>
  /** The nouns of permissions of secret keys: `forms` makes `read:forms` and `write:forms`. Areas can share a noun. */
  readonly permissions?: readonly string[]
  /** Endpoints below /api/v1. */
  readonly routes?: Routes
  /** Endpoints below /console/api, for operators; their document is /console/api/openapi.json. */
  readonly console?: Routes
  /**
   * Routes below the root, outside of the API and its document: pages for people, and endpoints for servers of
   * operators.
   */
  readonly pages?: Routes
  /** The module of its events, which exports nothing else. */
  readonly events?: Readonly<Record<string, EventType>>
  /** The module of its errors, each made by `defineError`. Routes list those that they answer. */
  readonly errors?: Readonly<Record<string, unknown>>
  /** The module of its mails. */
  readonly mails?: Readonly<Record<string, MailType>>
  /** Its work outside of requests. */
  readonly background?: Partial<Background>
  /** What it does when money moves, by the purpose of the payment, such as `order`. */
  readonly paymentHandlers?: PaymentHandlers
  /** The mails to members; exactly one area provides them. */
  readonly memberMails?: MemberMails
  /** Work that is due at a time of the clock of a project, which a test clock can move. */
  readonly dueWork?: readonly DueWork[]
  /** Its posts that are reported, held and decided about. */
  readonly moderated?: readonly ModeratedKind[]
  /** What streams can be opened for. */
  readonly topics?: readonly TopicGroup[]
  /** What it lets members find by the one search. */
  readonly searchSources?: readonly SearchSource[]
  /** The data that it stores about members. */
  readonly memberData?: readonly PersonalData[]
  /**
   * The order of erasure, relative to other areas. An area that releases what another one deletes comes earlier.
   * @default 0
   */
  readonly erasureOrder?: number
}

/** Declares an area. It is used after it is listed in `areas.ts`. */
export const defineArea = (area: Area): Area => Object.freeze(area)

/**
 * @throws Error if two events, mails or tables have the same name, two ids the same prefix, or two errors the same code
 * and   different statuses
 */
export function catalogueOf(areas: readonly Area[]): Catalogue {
  const inOrder = areas.toSorted((a, b) => (a.erasureOrder ?? 0) - (b.erasureOrder ?? 0))
  const memberData = inOrder.flatMap((area) => area.memberData ?? [])
  byName(memberData.map(({ table }) => ({ name: table })))
  byName(areas.flatMap(({ ids = {} }) => Object.values(ids).map(({ prefix }) => ({ name: prefix }))))
  assertOneStatus(areas.flatMap(({ errors = {} }) => errorsIn(errors)))
  return Object.freeze({
    events: byName(areas.flatMap(({ events = {} }) => Object.values(events))),
    mails: byName(areas.flatMap(({ mails = {} }) => Object.values(mails))),
    permissions: permissionsOf(areas),
    memberData,
    dueWork: dueWorkOf(areas),
    moderated: areas.flatMap(({ moderated = [] }) => moderated),
    topics: areas.flatMap(({ topics = [] }) => topics),
    searchSources: areas.flatMap(({ searchSources = [] }) => searchSources),
    paymentHandlers: Object.assign({}, ...areas.map(({ paymentHandlers = {} }) => paymentHandlers)),
    memberMails: areas.find(({ memberMails }) => memberMails)?.memberMails ?? NO_MEMBER_MAILS,
  })
}

/** All permissions of secret keys. `admin` includes every other; `write:x` does not include `read:x`. */
export function permissionsOf(areas: readonly Area[]): Permission[] {
  const nouns = new Set(areas.flatMap(({ permissions = [] }) => permissions))
  return [...[...nouns].flatMap((noun) => [`read:${noun}`, `write:${noun}`] as const), 'admin']
}

/** The work of all areas outside of requests, and the schedules of the platform. */
export function backgroundOf(areas: readonly Area[]): Background {
  const all = <K extends keyof Background>(kind: K) =>
    areas.flatMap(({ background }) => [...(background?.[kind] ?? [])]) as unknown as Background[K]
  const dueWork = dueWorkOf(areas)
  return {
    jobs: [workOffDue(dueWork), ...all('jobs')],
    consumers: all('consumers'),
    fanOuts: all('fanOuts'),
    sweeps: all('sweeps'),
    schedules: [...platformSchedules, findDueWork(dueWork), ...all('schedules')],
    measures: [...queueMeasures, ...(all('measures') ?? [])],
  }
}

/** For tests of a few areas. */
const NO_MEMBER_MAILS: MemberMails = {
  invite: async () => undefined,
  inviteAgain: async () => undefined,
  receiveAddress: async () => undefined,
}

function assertOneStatus(errors: readonly ErrorType[]): void {
  const statuses = new Map<string, number>()
  for (const { code, status } of errors) {
    if ((statuses.get(code) ?? status) !== status) throw new Error(`the error ${code} has two statuses`)
    statuses.set(code, status)
  }
}

const dueWorkOf = (areas: readonly Area[]) => areas.flatMap(({ dueWork = [] }) => dueWork)

function byName<T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const each of all) {
    if (found.has(each.name)) throw new Error(`two areas declare ${each.name}`)
    found.set(each.name, each)
  }
  return found
}
