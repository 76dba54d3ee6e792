import { Fields } from '../fields/fields.tsx'
import { type FieldTexts, labelOf } from './field.tsx'
import styles from './schema-form.module.css'
import { textOfValue } from './text-of-value.ts'
import type { FormState } from './use-schema-form.ts'

interface Props extends FieldTexts {
  readonly form: FormState
}

/** What a form would change, for who changes nothing. */
export function ReadOnlyForm({ form: { fields, draft }, ...texts }: Props) {
  return (
    <Fields
      fields={fields.map((field) => [
        labelOf(field, field.name, texts),
        <span key={field.name} dir="auto" className={styles.written}>
          {textOfValue(field, draft[field.name], texts)}
        </span>,
      ])}
    />
  )
}
