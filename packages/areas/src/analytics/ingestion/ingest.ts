import type { FastifyRequest } from 'fastify'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden } from '#platform/errors.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { KnownSettings } from '../settings.ts'
import { makeCountries } from '../visitors/country.ts'
import { Salts } from '../visitors/salts.ts'
import { Collector } from './collector.ts'
import type { Hit, Outcome } from './hit.ts'
import { type Arrival, prepareHit, rejection } from './prepare.ts'
import type { Item, ItemResult } from './schema.ts'
import { type Sender, senderOf } from './sender.ts'
import { writeHits } from './write-hits.ts'

/** Takes events in. */
export interface Ingest {
  /**
   * Stores one event; it is there when this answers.
   * @throws ApiError 422, 403
   */
  one(request: FastifyRequest, item: Item): Promise<void>
  /**
   * Stores events and says of each what became of it.
   * @throws ApiError 403 for what the sender may not do at all
   */
  many(request: FastifyRequest, items: readonly Item[]): Promise<ItemResult[]>
  close(): void
}

export function makeIngest({ asSystem, config }: Pick<AreaDeps, 'asSystem' | 'config'>): Ingest {
  const settings = new KnownSettings(asSystem)
  const salts = new Salts(asSystem, config)
  const collector = new Collector(asSystem)
  const countries = makeCountries(config)

  /** Undefined where nothing is to be kept of it. */
  const arrive = async (request: FastifyRequest): Promise<(Arrival & { sender: Sender }) | undefined> => {
    const sender = senderOf(request, countries.ofRequest(request))
    const { timezone, respect_do_not_track } = await settings.of(sender.projectId)
    if (respect_do_not_track && sender.asksNotToBeTracked) return undefined
    return { sender, zone: timezone, now: Date.now(), salts, countries }
  }
  const store = (request: FastifyRequest, projectId: string, hits: readonly Hit[]): Promise<Outcome[]> =>
    // Under an Idempotency-Key events and answer are committed together.
    request.claimed === undefined
      ? collector.add(projectId, hits)
      : request.write((ctx) => writeHits(ctx, hits))

  return {
    one: async (request, item) => {
      const arrival = await arrive(request)
      if (arrival === undefined) return
      const hit = await prepareHit(arrival, item)
      const [outcome] = await store(request, arrival.sender.projectId, [hit])
      assertTaken(arrival.sender, outcome)
    },
    many: async (request, items) => {
      const arrival = await arrive(request)
      if (arrival === undefined) return items.map(() => ({ status: 'ignored' as const }))
      const prepared = await Promise.all(
        items.map((item) => prepareHit(arrival, item).catch((error) => rejection(error))),
      )
      const hits = prepared.filter((each): each is Hit => 'id' in each)
      const outcomes = hits.length === 0 ? [] : await store(request, arrival.sender.projectId, hits)
      let next = 0
      return prepared.map((each): ItemResult => {
        if (!('id' in each)) return { status: 'rejected', ...each }
        const outcome = outcomes[next++]
        if (outcome === 'duplicate' || outcome === 'accepted') return { status: outcome }
        assertMayWrite(arrival.sender, outcome)
        return { status: 'rejected', ...rejection(memberNotFound('user_id')) }
      })
    },
    close: () => salts.close(),
  }
}

/** @throws ApiError 422, 403 */
function assertTaken(sender: Sender, outcome: Outcome | undefined): void {
  assertMayWrite(sender, outcome)
  if (outcome === 'unknown_member' || outcome === 'pending_member') throw memberNotFound('user_id')
}

/** A pending member writes nothing; a server may tell of one. */
function assertMayWrite({ memberId }: Sender, outcome: Outcome | undefined): void {
  if (memberId !== undefined && outcome === 'pending_member')
    throw forbidden('This member is pending and cannot write: the email address must be confirmed first')
}
