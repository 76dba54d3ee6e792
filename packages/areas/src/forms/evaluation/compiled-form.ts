import type { FieldFault } from '#platform/errors.ts'
import type { Field } from '../builder/field-schema.ts'
import type { Settings } from '../schema.ts'
import type { Value } from '../submissions/schema.ts'
import { type Check, checkOf, Misfit } from './check-value.ts'
import { isShown } from './conditions.ts'
import { checkFile, type FileFacts } from './file-fields.ts'

/** What was made of a submission's values. */
export interface Evaluated {
  /** What is stored: values of the fields that are shown. */
  readonly data: Record<string, Value>
  /** Passwords, which are used and never stored. */
  readonly passwords: ReadonlyMap<string, string>
  /** Everything that does not fit, named `data.<field id>`. */
  readonly faults: readonly FieldFault[]
}

/** Files by field id: those that came with the submission, and those that it names. */
export type Files = ReadonlyMap<string, FileFacts>

interface CompiledField {
  readonly field: Field
  readonly check: Check
}

/** A version of a form, made ready to look at submissions; made once and kept. */
export class CompiledForm {
  readonly version: number
  readonly settings: Settings
  readonly fields: readonly Field[]
  /** Ids of the fields whose values are files. */
  readonly fileFields: readonly string[]
  /** Whether values are matched with regular expressions, which takes a millisecond for each kilobyte. */
  readonly hasPatterns: boolean
  readonly #byId: ReadonlyMap<string, CompiledField>

  constructor(version: number, fields: readonly Field[], settings: Settings) {
    this.version = version
    this.settings = settings
    this.fields = fields
    this.fileFields = fields.filter(({ type }) => type === 'file').map(({ id }) => id)
    this.hasPatterns = fields.some(({ validation }) => validation?.pattern !== undefined)
    this.#byId = new Map(fields.map((field) => [field.id, { field, check: checkOf(field) }]))
  }

  field(id: string): Field | undefined {
    return this.#byId.get(id)?.field
  }

  /**
   * Decides for each field, in their order, whether it is shown and whether its value fits. The value of a hidden field
   * is dropped, and counts as empty for later fields.
   */
  evaluate(given: Readonly<Record<string, unknown>>, files: Files = new Map()): Evaluated {
    const faults = this.#unknown(given)
    const answers = new Map<string, Value>()
    const passwords = new Map<string, string>()
    let sectionIsShown = true
    for (const compiled of this.#byId.values()) {
      const { id, type } = compiled.field
      const shown = isShown(compiled.field, answers)
      if (type === 'section') sectionIsShown = shown
      if (!shown || !sectionIsShown || type === 'section') continue
      const outcome = answerOf(compiled, Object.hasOwn(given, id) ? given[id] : undefined, files.get(id))
      if (outcome instanceof Misfit) {
        faults.push({ field: `data.${id}`, rule: outcome.rule, message: outcome.message })
      } else if (outcome !== undefined) {
        answers.set(id, outcome)
        if (type === 'password') passwords.set(id, String(outcome))
      }
    }
    const data = Object.fromEntries([...answers].filter(([id]) => !passwords.has(id)))
    return { data, passwords, faults }
  }

  #unknown(given: Readonly<Record<string, unknown>>): FieldFault[] {
    return Object.keys(given)
      .filter((id) => {
        const type = this.#byId.get(id)?.field.type
        return (type === undefined || type === 'section') && id !== this.settings.spam?.honeypot
      })
      .map((id) => ({
        field: `data.${id}`,
        rule: 'additionalProperties',
        message: 'is not a field of this form',
      }))
  }
}

/** The value of a field that is shown, undefined where it has none, or why it does not fit. */
function answerOf(
  { field, check }: CompiledField,
  given: unknown,
  file: FileFacts | undefined,
): Value | Misfit | undefined {
  if (field.type === 'file') {
    if (file !== undefined) return checkFile(field, file)
    if (isNothing(given)) return missing(field)
    return new Misfit('exists', 'is not a file of this project')
  }
  const value = given === undefined ? field.default : given
  if (isNothing(value)) return missing(field)
  return check(value)
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

function missing({ type, required }: Field): false | Misfit | undefined {
  if (required === true) return new Misfit('required', 'is required')
  // An unticked box that is shown is an answer.
  return type === 'checkbox' || type === 'consent' ? false : undefined
}
