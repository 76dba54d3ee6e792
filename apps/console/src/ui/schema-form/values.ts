import type { FormField } from '../../data/form-fields.ts'
import { SECRET } from '../../data/secrets.ts'

/** What the controls of a form hold: texts as they are typed, in the structure of the body. */
export type DraftValue = string | boolean | null | readonly DraftValue[] | Draft
export interface Draft {
  readonly [name: string]: DraftValue
}

/** Values of the API by their fields. */
export type Values = Readonly<Record<string, unknown>>

/** A row of a map in its form. */
const asRow = ([name, value]: [string, unknown]): Draft => ({ name, value: String(value) })

/** What the fields of a form hold for values of the API. */
export const draftOf = (fields: readonly FormField[], values: Values): Draft =>
  Object.fromEntries(fields.map((field) => [field.name, draftValueOf(field, values[field.name])]))

/** What a control holds for a value of the API, or for none. */
export function draftValueOf(field: FormField, given: unknown): DraftValue {
  const value = given === undefined ? field.default : given
  switch (field.type) {
    case 'boolean':
      if (field.nullable) return typeof value === 'boolean' ? String(value) : ''
      return value === true
    case 'list':
      return Array.isArray(value) ? value.map((each) => draftValueOf(itemOf(field), each)) : []
    case 'map':
      return Object.entries(value ?? {}).map(asRow)
    case 'object':
      if (value === undefined || value === null)
        return field.required ? draftOf(field.fields ?? [], {}) : null
      return draftOf(field.fields ?? [], value as Values)
    case 'value':
      return value === undefined || value === null ? '' : textOfValue(value)
    default:
      if (value === undefined || value === null) return ''
      return field.format === 'date-time' ? localTimeOf(String(value)) : String(value)
  }
}

/** The items of a list. */
export const itemOf = ({ item }: FormField): FormField => item ?? { name: '', type: 'value' }

/** A text that is no JSON is shown as it is, all else as JSON. */
function textOfValue(value: unknown): string {
  const isPlain = typeof value === 'string' && typeof valueOfText(value) === 'string'
  return isPlain ? value : JSON.stringify(value, undefined, 2)
}

function valueOfText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A moment in the operator's time zone, as an input of a day and a time takes it. */
function localTimeOf(moment: string): string {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/**
 * A number as somebody types it, also with a comma for its decimals.
 * @returns NaN for what is none
 */
export const numberOf = (text: string): number =>
  Number(/^[^.,]*,[^.,]*$/.test(text) ? text.replace(',', '.') : text)

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The fields whose drafts differ. */
export const changedFields = (from: Draft, to: Draft): string[] =>
  Object.keys(to).filter((name) => !isSame(from[name], to[name]))

interface Merge {
  readonly before: Draft
  readonly mine: Draft
  readonly theirs: Draft
  /** The fields of which one's own value stays where both have changed it. Default: all. */
  readonly keep?: readonly string[]
}

/** Their values, with one's own where one has changed a field alone or keeps it. */
export function mergedDraft({ before, mine, theirs, keep }: Merge): Draft {
  const own = changedFields(before, mine).filter(
    (name) => isSame(theirs[name], before[name]) || (keep?.includes(name) ?? true),
  )
  return { ...theirs, ...Object.fromEntries(own.map((name) => [name, mine[name] ?? ''])) }
}

/**
 * What the API is sent for a control.
 * @returns undefined for what is left out; null where that takes a value away
 */
export function bodyValueOf(field: FormField, draft: DraftValue | undefined): unknown {
  const nothing = field.nullable ? null : undefined
  switch (field.type) {
    case 'boolean':
      return draft === '' ? nothing : draft === true || draft === 'true'
    case 'list':
      return (draft as readonly DraftValue[])
        .map((each) => bodyValueOf(itemOf(field), each))
        .filter((each) => each !== undefined && each !== '')
    case 'map':
      return Object.fromEntries(
        (draft as readonly Draft[]).flatMap(({ name, value }) =>
          name === '' ? [] : [[String(name), String(value)]],
        ),
      )
    case 'object':
      return draft === null ? nothing : objectOf(field.fields ?? [], draft as Draft)
    case 'value':
      return draft === '' ? nothing : valueOfText(String(draft))
    case 'integer':
    case 'number':
      return draft === '' ? nothing : numberOf(String(draft))
    default:
      if (draft === '') return field.nullable ? null : field.words || field.format ? undefined : ''
      return field.format === 'date-time' ? new Date(String(draft)).toISOString() : draft
  }
}

/** An object inside of a body: what is empty is left out of it, or is null. */
function objectOf(fields: readonly FormField[], draft: Draft): Values {
  const entries = fields.flatMap((field) => {
    const value = bodyValueOf(field, draft[field.name])
    const isEmpty = value === undefined || (!field.required && (value === '' || isSame(value, [])))
    return isEmpty ? [] : [[field.name, value]]
  })
  return Object.fromEntries(entries)
}

/** The body of a new thing: what is empty, and what the API fills in by itself, is left out. */
export function newBody(fields: readonly FormField[], draft: Draft): Values {
  const entries = fields.flatMap((field) => {
    const value = bodyValueOf(field, draft[field.name])
    const isEmpty = value === undefined || value === null || value === '' || isSame(value, [])
    const isDefault = !field.required && isSame(draft[field.name], draftValueOf(field, undefined))
    return isEmpty || isDefault ? [] : [[field.name, value]]
  })
  return Object.fromEntries(entries)
}

/**
 * The body of a change: the fields that differ.
 * @param merged fields of which the API keeps the keys that are not sent: those that have gone are null
 */
export function changesBody(
  fields: readonly FormField[],
  from: Draft,
  to: Draft,
  merged: readonly string[],
): Values {
  const entries = fields.flatMap((field) => {
    if (isSame(from[field.name], to[field.name])) return []
    const value = bodyValueOf(field, to[field.name])
    if (value === undefined) return []
    const before = bodyValueOf(field, from[field.name])
    return [[field.name, merged.includes(field.name) ? mergeOf(before, value) : value]]
  })
  return Object.fromEntries(entries)
}

function mergeOf(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after
  const gone = Object.keys(before).filter((key) => !(key in after))
  const changed = Object.entries(after).filter(([key, value]) => !isSame(value, before[key]))
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed])
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields without those that hold secrets, whose drafts are stored nowhere. */
export const withoutSecrets = (changes: Values): Values =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !SECRET.test(name) && !hasSecret(value)),
  )

function hasSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => SECRET.test(name) || hasSecret(inner))
}
