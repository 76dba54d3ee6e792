import type { FormField, FormOperation } from '../../data/form-fields.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Fields } from '../../ui/fields/fields.tsx'
import { type FieldTexts, labelOf } from '../../ui/schema-form/field.tsx'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'

interface Props extends FieldTexts {
  readonly operation: FormOperation
  /** The fields of this part, in their order. */
  readonly fields: readonly string[]
  readonly read: Read<object>
  /** Reads it again, where somebody else has changed it meanwhile. */
  readonly readAgain?: () => Promise<Read<object>>
  /** Tells drafts of the parts of one operation apart. */
  readonly of: string
  readonly send: (body: object, options: { readonly ifMatch?: string }) => PromiseLike<unknown>
  readonly onDone?: () => unknown
}

/** A part of a screen of settings: a form, or for a viewer what it has. */
export function PartForm({ operation, fields, read, readAgain, of, send, onDone, ...texts }: Props) {
  const { canChange } = useRights()
  const form = useSchemaForm<object>({
    ...{ operation, fields, of, read, send },
    ...(readAgain && { readAgain }),
    onDone: () => onDone?.(),
  })
  if (!canChange) {
    const shown = fields.flatMap((name) => operation.fields.find((field) => field.name === name) ?? [])
    const values = read.value as Readonly<Record<string, unknown>>
    return (
      <Fields
        fields={shown.map((field) => [labelOf(field, field.name, texts), textOf(field, values[field.name])])}
      />
    )
  }
  return <SchemaForm form={form} {...texts} />
}

/** A value in words, for who reads it alone. */
function textOf({ type }: FormField, value: unknown): string {
  if (type === 'boolean') return value === true ? t('Yes') : t('No')
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined ? '' : String(value)
}
