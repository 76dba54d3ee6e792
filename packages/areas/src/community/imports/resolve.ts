import type { Context } from '#platform/db/tenant.ts'
import type { FieldFault } from '#platform/errors.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { type Named, RESOURCES, rowTypeOf } from '../line-types.ts'
import type { Prepared } from './prepare.ts'
import type { MappedId } from './queries.ts'
import type { Line } from './read-lines.ts'

/** An id in a file, as it is stored. */
export interface OldId {
  readonly record: Named
  readonly old_id: string
}

/** A field of a line that has an id, or several. */
interface Reference {
  readonly field: string
  readonly of: Named
  readonly text: string
}

/** The references of lines that are no rows of one table. */
const OTHER_REFERENCES: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  file: { owner_id: 'member' },
  answer: { discussion_id: 'discussion', comment_id: 'comment' },
  merge: { feedback_id: 'feedback', into: 'feedback' },
  file_content: { file_id: 'file' },
}

/** What a line names, its own id apart. */
export function referencesOf({ record, value }: Line): Reference[] {
  const fields = rowTypeOf(record)?.fields
  const named: [string, Named][] = fields
    ? Object.entries(fields).flatMap(([field, { of }]) =>
        of === undefined || field === 'id' ? [] : [[field, of] as [string, Named]],
      )
    : Object.entries(OTHER_REFERENCES[record] ?? {})
  return named.flatMap(([field, of]) => {
    const given = value[field]
    if (Array.isArray(given))
      return given.map((text, i) => ({ field: `${field}[${i}]`, of, text: String(text) }))
    return typeof given === 'string' ? [{ field, of, text: given }] : []
  })
}

export const oldIdOf = ({ of, text }: Pick<Reference, 'of' | 'text'>): OldId | undefined => {
  const old_id = parseId(RESOURCES[of], text)
  return old_id === undefined ? undefined : { record: of, old_id }
}

/** The id that a line gives itself; undefined for lines that have none. */
export const ownIdOf = ({ record, value }: Line): Reference | undefined =>
  typeof value['id'] === 'string' && record in RESOURCES
    ? { field: 'id', of: record as Named, text: value['id'] }
    : undefined

/** The new ids of what a file has, as far as it was read. */
export class IdMap {
  readonly #known = new Map<string, MappedId>()
  /** What came since it was made. */
  readonly added: MappedId[] = []

  constructor(known: readonly MappedId[]) {
    for (const each of known) this.#known.set(keyOf(each), each)
  }

  find(id: OldId): MappedId | undefined {
    return this.#known.get(keyOf(id))
  }

  add(id: MappedId): void {
    this.#known.set(keyOf(id), id)
    this.added.push(id)
  }
}

const keyOf = ({ record, old_id }: { readonly record: string; readonly old_id: string }) =>
  `${record} ${old_id}`

/** A line with the ids of this project, or what is wrong with it. */
export interface Resolved {
  readonly faults: readonly FieldFault[]
  /** The fields with ids as they are stored; text and other fields as they came. */
  readonly row: Record<string, unknown>
  /** What it is in. */
  readonly within: string | null
}

/** Replaces what a line names by what that has become. */
export function resolve(line: Line, map: IdMap): Resolved {
  if (line.faults.length > 0) return { faults: line.faults, row: {}, within: null }
  const faults: FieldFault[] = []
  const row: Record<string, unknown> = { ...line.value }
  const type = rowTypeOf(line.record)
  const found = new Map<string, MappedId>()
  for (const reference of referencesOf(line)) {
    const old = oldIdOf(reference)
    const mapped = old && map.find(old)
    if (mapped === undefined) {
      faults.push({ field: reference.field, rule: 'exists', message: MISSING[reference.of] ?? NOT_BEFORE })
      continue
    }
    found.set(reference.field, mapped)
    const list = /^(.*)\[(\d+)\]$/.exec(reference.field)
    if (list === null) row[reference.field] = mapped.new_id
    else {
      const [, name = '', place = ''] = list
      const ids = [...(row[name] as string[])]
      ids[Number(place)] = mapped.new_id
      row[name] = ids
    }
  }
  const discussion = found.get('discussion_id')
  for (const field of ['comment_id', 'parent_id']) {
    const comment = found.get(field)
    if (discussion !== undefined && comment !== undefined && comment.within !== discussion.new_id)
      faults.push({ field, rule: 'exists', message: 'is not a comment of this discussion' })
  }
  const within = type?.within === undefined ? null : (found.get(type.within)?.new_id ?? null)
  return { faults, row, within }
}

const NOT_BEFORE = 'is on no line before this one without faults'
const MISSING: Partial<Record<Named, string>> = { member: 'is no member of this project' }

/**
 * Gives a line its id: that of the file, where it is free.
 * @param isTaken whether something in this project has the id already
 */
export function chooseId(
  line: Line,
  map: IdMap,
  isTaken: (id: string) => boolean,
): { readonly old: OldId; readonly id: string } | FieldFault | undefined {
  const own = ownIdOf(line)
  if (own === undefined) return undefined
  const old = oldIdOf(own)
  if (old === undefined) return { field: 'id', rule: 'id', message: 'is not an id of this kind' }
  if (map.find(old) !== undefined)
    return { field: 'id', rule: 'unique', message: 'is the id of a line before this one' }
  return { old, id: isTaken(old.old_id) ? newUuid() : old.old_id }
}

/** A line of which something is made, with its id here. */
export interface Accepted extends Resolved {
  readonly line: Prepared
  readonly id: string | undefined
}

/** How lines of a type that are no plain rows are handled. */
export interface Special {
  faultsOf(line: Prepared): readonly FieldFault[]
  /** The id here, in place of what `chooseId` says; undefined: that. */
  idOf?(line: Prepared): ReturnType<typeof chooseId>
  make(ctx: Context, record: string, accepted: readonly Accepted[]): Promise<void>
}
