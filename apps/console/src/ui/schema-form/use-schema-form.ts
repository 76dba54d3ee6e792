import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Detail } from '../../data/console-api.ts'
import { detailsOf, isConflict } from '../../data/faults.ts'
import type { FormField, FormOperation } from '../../data/form-fields.ts'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import type { RecordedCall } from '../../data/recorded-calls.ts'
import { localFaults } from './local-faults.ts'
import { withValue } from './paths.ts'
import { useStoredDraft } from './use-stored-draft.ts'
import {
  changedFields,
  changesBody,
  type Draft,
  type DraftValue,
  draftOf,
  mergedDraft,
  newBody,
  type Values,
} from './values.ts'

/** The thing that a form changes, as it was read: by the fields of the operation's body. Other fields do no harm. */
type ReadThing = Pick<Read<object>, 'value'> & Partial<Read<object>>

interface SendOptions {
  readonly ifMatch?: string
}

export interface SchemaFormOptions<Body, Result> {
  /** Of `forms.generated`. */
  readonly operation: FormOperation
  /** The fields that are shown, in their order. Default: all. */
  readonly fields?: readonly string[]
  /** Whether a field is shown beside what is typed. What is not shown is not sent. */
  readonly isShown?: (name: string, draft: Draft) => boolean
  /** What is changed: only what differs is sent. Without it something new is made. */
  readonly read?: ReadThing | undefined
  /** Reads it again, where somebody else has changed it meanwhile. Operations with `If-Match` need it. */
  readonly readAgain?: () => Promise<ReadThing>
  /** What the fields of a new thing have at first. */
  readonly initial?: object
  /** The id of the thing, or of what a new one belongs to: it tells drafts apart. */
  readonly of?: string
  /** The ids of the operation's path, where `of` is not the only one. */
  readonly ids?: readonly string[]
  /** Objects of which the API keeps the keys that are not sent. Default: `metadata`. */
  readonly merged?: readonly string[]
  readonly send: (body: Body, options: SendOptions) => PromiseLike<Result>
  readonly onDone: (result: Result) => unknown
  /** Called in place of `send` where nothing differs. */
  readonly onUnchanged?: () => void
}

/** What a form shows and does: `SchemaForm` and `SchemaFormDialog` take it. */
export interface FormState {
  readonly operation: FormOperation
  readonly fields: readonly FormField[]
  readonly draft: Draft
  readonly change: (path: string, value: DraftValue) => void
  /** What the API, or the form itself, refuses. */
  readonly faults: readonly Detail[]
  /** Counts the refusals: the first refused field takes the focus after each. */
  readonly refusals: number
  readonly error: Error | null
  readonly isPending: boolean
  readonly isDirty: boolean
  /** What is shown was saved by this form. */
  readonly isSaved: boolean
  readonly isNew: boolean
  /** Whether leaving loses something. */
  readonly mustAsk: () => boolean
  readonly submit: () => void
  /** Goes back to what was read, and forgets what was typed. */
  readonly discard: () => void
  /** A draft of before, such as before a reload. */
  readonly offered: { readonly at: number; readonly take: () => void; readonly drop: () => void } | undefined
  readonly conflict: Conflict | undefined
  /** What is sent now: what differs, or all of a new thing. */
  readonly body: Values
  /** The same as a call; it is shown as code. */
  readonly call: RecordedCall
}

/** What somebody else has changed while the form was open, by its fields. */
export interface Conflict {
  readonly base: Draft
  readonly mine: Draft
  readonly theirs: Draft
  /** Fields that somebody else has changed. */
  readonly changed: readonly string[]
  /** Goes on with the thing as it is now. @param keep the fields of which one's own value stays */
  readonly merge: (keep: readonly string[]) => void
}

/**
 * The state of a form for the body of an operation; `SchemaForm` and `SchemaFormDialog` show it. `areas/members/edit.tsx` is an
 * example of a change; something new is made without `read`.
 */
export function useSchemaForm<Body = object, Result = unknown>(
  options: SchemaFormOptions<Body, Result>,
): FormState {
  const { operation, read, initial = {}, merged = ['metadata'], isShown = () => true } = options
  const all = operation.fields.filter(({ name }) => options.fields?.includes(name) ?? true)
  const ordered = options.fields ? inOrder(all, options.fields) : all
  const draftOfRead = ({ value }: ReadThing) => draftOf(all, value as Values)
  const [base, setBase] = useState<ReadThing | undefined>(read)
  const [draft, setDraft] = useState<Draft>(() =>
    read ? draftOfRead(read) : draftOf(all, initial as Values),
  )
  const [faults, setFaults] = useState<readonly Detail[]>([])
  const [refusals, setRefusals] = useState(0)
  const [latest, setLatest] = useState<ReadThing>()
  const before = base ? draftOfRead(base) : draftOf(all, initial as Values)
  const isDirty = changedFields(before, draft).length > 0
  const fields = ordered.filter(({ name }) => isShown(name, draft))
  const body = base ? changesBody(fields, before, draft, merged) : newBody(fields, draft)
  const stored = useStoredDraft({
    ...{ name: operation.name, of: options.of ?? '', draft, before, base, isDirty },
    take: (changes, ofBase) => {
      const from = (ofBase as ReadThing | undefined) ?? base
      setBase(from)
      setDraft({ ...(from ? draftOfRead(from) : before), ...(changes as Draft) })
    },
  })
  const isSaved = useRef(false)
  const place = useProject()
  const refuse = (found: readonly Detail[]) => {
    setFaults(found)
    setRefusals((count) => count + 1)
  }
  const save = useMutation({
    mutationFn: (sent: Values) =>
      sendChange({
        send: (ifMatch) => options.send(sent as Body, ifMatch === undefined ? {} : { ifMatch }),
        ...{ etag: operation.takesIfMatch && base?.etag, readAgain: options.readAgain },
        // What somebody else has changed may be in none of this form's fields: then there is nothing to merge.
        mustMerge: (now) => {
          setLatest(now)
          return changedFields(before, draftOfRead(now)).length > 0
        },
      }),
    onSuccess: async (result, sent) => {
      stored.forget()
      isSaved.current = true
      await options.onDone(result)
      isSaved.current = false
      // What is saved is no longer a change, also where the form stays.
      setBase(base && { value: { ...base.value, ...sent } })
      if (base === undefined) setDraft(before)
    },
    onError: (error) => {
      if (!isConflict(error) || !options.readAgain) refuse(detailsOf(error))
    },
  })
  useNewRead(read, isDirty && !isBehind(operation, base), (next) => {
    setBase(next)
    setDraft(mergedDraft({ before, mine: draft, theirs: draftOfRead(next) }))
  })
  const submit = () => {
    if (save.isPending) return
    const found = localFaults(fields, draft, base === undefined)
    if (found.length > 0) return refuse(found)
    setFaults([])
    if (base && Object.keys(body).length === 0 && options.onUnchanged) return options.onUnchanged()
    save.mutate(body)
  }
  const theirs = latest && draftOfRead(latest)
  const isMerging = isConflict(save.error) && theirs !== undefined
  return {
    ...{ operation, fields, draft, faults, refusals, isDirty, submit, body },
    call: callOf(operation, options.ids ?? idsOf(operation, options.of), body, place),
    error: isMerging ? null : save.error,
    isPending: save.isPending,
    isSaved: save.isSuccess && base !== undefined && !isDirty,
    isNew: base === undefined,
    mustAsk: () => isDirty && !isSaved.current,
    change: (path, value) => {
      setDraft((present) => withValue(present, path, value))
      setFaults((present) => present.filter(({ field }) => !isAt(field, path)))
    },
    discard: () => {
      stored.forget()
      setDraft(before)
    },
    offered: stored.offered,
    conflict: isMerging
      ? {
          ...{ base: before, mine: draft, theirs, changed: changedFields(before, theirs) },
          merge: (keep) => {
            setBase(latest)
            setDraft(mergedDraft({ before, mine: draft, theirs, keep }))
            save.reset()
          },
        }
      : undefined,
  }
}

/** After a change the thing has another ETag: what is typed meanwhile waits for it, and stays typed. */
const isBehind = ({ takesIfMatch }: FormOperation, base: ReadThing | undefined): boolean =>
  takesIfMatch === true && base !== undefined && base.etag === undefined

interface Sending<Result> {
  readonly send: (etag: string | undefined) => PromiseLike<Result>
  readonly etag: string | undefined
  readonly readAgain: (() => Promise<ReadThing>) | undefined
  readonly mustMerge: (now: ReadThing) => boolean
}

/** Sends a change, and once more with the ETag of now where nothing is to be merged. */
async function sendChange<Result>({ send, etag, readAgain, mustMerge }: Sending<Result>): Promise<Result> {
  try {
    return await send(etag)
  } catch (error) {
    if (!isConflict(error) || readAgain === undefined) throw error
    const now = await readAgain()
    if (mustMerge(now)) throw error
    return await send(now.etag)
  }
}

/** What a form sends, as a call that is shown as code. */
function callOf(
  { name, address }: FormOperation,
  ids: readonly string[],
  body: Values,
  { project, side }: { readonly project: string; readonly side: string },
): RecordedCall {
  const [method, path] = address?.split(' ') ?? []
  if (method === undefined || path === undefined) return { name, args: [...ids, body] }
  return { method, path: path.replace('{project}', project).replace('{side}', side), body }
}

/** The ids of a path: the first is known. */
const idsOf = ({ ids = 0 }: FormOperation, of = 'id'): string[] =>
  Array.from({ length: ids }, (_, i) => (i === 0 ? of : 'id'))

const inOrder = (fields: readonly FormField[], names: readonly string[]): FormField[] =>
  names.flatMap((name) => fields.find((field) => field.name === name) ?? [])

const isAt = (field: string, path: string): boolean =>
  field === path || field.startsWith(`${path}[`) || field.startsWith(`${path}.`)

/** A form shows what has been read anew, unless something typed in it waits to be saved over what was read before. */
function useNewRead(read: ReadThing | undefined, mustWait: boolean, adopt: (read: ReadThing) => void): void {
  const latest = useRef(adopt)
  latest.current = adopt
  const key = JSON.stringify(read)
  const shown = useRef(key)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read is compared by its content.
  useEffect(() => {
    if (mustWait || read === undefined || key === shown.current) return
    shown.current = key
    latest.current(read)
  }, [mustWait, key])
}
