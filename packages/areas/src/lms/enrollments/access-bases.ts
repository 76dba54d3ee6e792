// What an enrollment rests on, decided here and nowhere else: from what the enrollment remembers, and from what its member
// is given now. An enrollment is open as long as something stands that it can rest on, and ends with the longest of it.

/** In the order of preference, of those that last equally long. */
export const BASES = ['order_line', 'feature', 'key', 'free'] as const
export type BasisType = (typeof BASES)[number]

/** Something that opens the course, as the enrollment remembers it. Times are in ISO 8601; null: it does not end. */
export interface Remembered {
  readonly type: BasisType
  /** The stored id of the order line, or the name of the feature. */
  readonly id: string | null
  /** When it ends by the course: so many days after the member was first enrolled by it. */
  readonly until: string | null
  /** When it ends by itself, of an order line or a feature; null where that is not known, too. */
  readonly own: string | null
  /** Of an order line: it was there when a key set the end. */
  readonly capped?: boolean
}

/** What an enrollment remembers of what it could rest on. */
export interface Access {
  readonly list: readonly Remembered[]
  /** The end that a key has set. It counts for all but order lines that came later. */
  readonly end?: { readonly until: string | null }
}

/** From when to when something is given. */
interface Span {
  readonly begins: string
  readonly ends: string | null
}

/** What a member is given of a course now. */
export interface Given {
  readonly now: string
  /** Days that an enrollment lasts by the course; null: it does not end. */
  readonly access_days: number | null
  /** Order lines that give the course, those of passes that begin later included. */
  readonly lines: readonly (Span & { readonly id: string })[]
  /** The feature that opens the course, where the member has it. */
  readonly feature: { readonly name: string; readonly ends: string | null } | null
}

/** What an enrollment rests on. */
export interface Basis {
  readonly type: BasisType
  readonly id: string | null
  readonly ends: string | null
}

const DAY_MS = 86_400_000
const timeOf = (end: string | null): number => (end === null ? Number.POSITIVE_INFINITY : Date.parse(end))

/** When an enrollment ends by the course that begins then. */
export const courseEnd = ({ access_days }: Pick<Given, 'access_days'>, begins: string): string | null =>
  access_days === null ? null : new Date(Date.parse(begins) + access_days * DAY_MS).toISOString()

/**
 * Judges an enrollment anew.
 * @returns what it rests on, undefined where nothing stands; and what it remembers from now on
 */
export function judge(before: Access, given: Given): { access: Access; basis: Basis | undefined } {
  const access = { ...before, list: remember(before, given) }
  const now = timeOf(given.now)
  const standing = access.list.flatMap((each): Basis[] => {
    const ends = endOf(access, each)
    return timeOf(ends) > now && isGiven(each, given) ? [{ type: each.type, id: each.id, ends }] : []
  })
  const basis = withoutLater(standing, given).reduce<Basis | undefined>(
    (best, each) => (best !== undefined && timeOf(best.ends) >= timeOf(each.ends) ? best : each),
    undefined,
  )
  return { access, basis }
}

/** The bases that are stored, in the order of `BASES`, after a change. */
function remember({ list }: Access, given: Given): Remembered[] {
  const found = (type: BasisType, id?: string) =>
    list.find((each) => each.type === type && (id === undefined || each.id === id))
  const lines = given.lines.map(({ id, begins, ends }): Remembered => {
    const known = found('order_line', id)
    const until = ends ?? known?.until ?? courseEnd(given, begins)
    return { type: 'order_line', id, until, own: ends, ...(known?.capped && { capped: true }) }
  })
  // A line that is gone before its end was taken back. One that has ended counts where a key has set a later end.
  const ended = list.filter(
    (each) =>
      each.type === 'order_line' &&
      each.capped &&
      hasEnded(each, given) &&
      !given.lines.some(({ id }) => id === each.id),
  )
  const others = list.filter(({ type }) => type === 'key' || type === 'free')
  return [...lines, ...ended, ...featureOf(found('feature'), given), ...others]
}

/** A feature that comes back opens the course to the same end: a pause begins nothing anew. */
function featureOf(known: Remembered | undefined, given: Given): Remembered[] {
  if (given.feature !== null) {
    const { name: id, ends: own } = given.feature
    return [{ type: 'feature', id, until: known ? known.until : courseEnd(given, given.now), own }]
  }
  if (known === undefined) return []
  return [hasEnded(known, given) ? known : { ...known, own: null }]
}

const hasEnded = ({ own }: Remembered, { now }: Given): boolean => own !== null && timeOf(own) <= timeOf(now)

/** When it ends: as a key has set, or by itself or by the course, whichever is earlier. */
function endOf({ end }: Access, { type, until, own, capped }: Remembered): string | null {
  if (end !== undefined && (type !== 'order_line' || capped)) return end.until
  return timeOf(own) < timeOf(until) ? own : until
}

function isGiven(each: Remembered, given: Given): boolean {
  if (each.type === 'feature') return given.feature !== null || hasEnded(each, given)
  if (each.type !== 'order_line') return true
  return given.lines.some(({ id }) => id === each.id) || hasEnded(each, given)
}

/** Leaves out passes that begin later than anything before them lasts. */
function withoutLater(standing: readonly Basis[], { lines, now }: Given): Basis[] {
  let reach = timeOf(now)
  const beginOf = ({ id }: Basis) => timeOf(lines.find((line) => line.id === id)?.begins ?? now)
  const reached = new Set<Basis>()
  for (const pass of standing
    .filter(({ type }) => type === 'order_line')
    .sort((a, b) => beginOf(a) - beginOf(b)))
    if (beginOf(pass) <= reach) {
      reach = Math.max(reach, timeOf(pass.ends))
      reached.add(pass)
    }
  return standing.filter((each) => each.type !== 'order_line' || reached.has(each))
}

/** When something ends that is given in several spans, each of which may go on where another ends. */
export function endOfSpans(spans: readonly Span[], now: string): string | null {
  let end: string | null = now
  for (const { begins, ends } of [...spans].sort((a, b) => timeOf(a.begins) - timeOf(b.begins)))
    if (timeOf(begins) <= timeOf(end) && timeOf(ends) > timeOf(end)) end = ends
  return end
}

/** A key sets the end of all that the enrollment can rest on by now. */
export const withEnd = ({ list }: Access, until: string | null): Access => ({
  list: list.map((each) => ({ ...each, capped: true })),
  end: { until },
})

/** Gives the enrollment something of its own to rest on, in place of what it had of the same type. */
const withOwn = (access: Access, type: 'key' | 'free', until: string | null): Access => ({
  ...access,
  list: [
    ...access.list.filter((each) => each.type !== type),
    { type, id: null, until, own: null, capped: true },
  ],
})

export const withFree = (access: Access, given: Given): Access =>
  withOwn(access, 'free', courseEnd(given, given.now))

/** A key enrolls. @param until the end that it sets; undefined: as the course says, whatever end a key has set before */
export function withKey(access: Access, given: Given, until: string | null | undefined): Access {
  if (until !== undefined) return withEnd(withOwn(access, 'key', until), until)
  const { end: _end, list } = withOwn(access, 'key', courseEnd(given, given.now))
  return { list: list.map(({ capped: _capped, ...each }) => each) }
}

/** A key opens again what was closed. An end that a key has set goes on to count, unless it is over. */
export function withKeyAgain(access: Access, given: Given): Access {
  const { end } = access
  return end !== undefined && timeOf(end.until) > timeOf(given.now)
    ? withOwn(access, 'key', end.until)
    : withKey(access, given, undefined)
}

/** Whether a member who has nothing to rest on may enroll because the course is free: only once, and after no key. */
export const mayBeFree = ({ list, end }: Access): boolean =>
  end === undefined && !list.some(({ type }) => type === 'free' || type === 'key')
