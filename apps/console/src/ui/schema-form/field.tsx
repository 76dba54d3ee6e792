import type { FormField } from '../../data/form-fields.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { type Control, Leaf } from './controls.tsx'
import { patternOf } from './paths.ts'
import styles from './schema-form.module.css'
import type { FormState } from './use-schema-form.ts'
import { type Draft, type DraftValue, draftOf, draftValueOf, itemOf } from './values.ts'

/** What a screen says about the fields of its form: by names, or by patterns such as `tiers[].price`. */
export interface FieldTexts {
  readonly labels?: Readonly<Record<string, string>>
  readonly descriptions?: Readonly<Record<string, string>>
  readonly controls?: Readonly<Record<string, Control>>
  /** What a value is called where it is not shown by its control, such as a title in place of an id. */
  readonly values?: Readonly<Record<string, (value: DraftValue) => string>>
  /** Fields of nested things that are not shown. */
  readonly without?: readonly string[]
}

interface Props {
  readonly form: FormState
  readonly texts: FieldTexts
  readonly field: FormField
  readonly path: string
  readonly value: DraftValue
  readonly autoFocus?: boolean
}

/** `trial_days` is "Trial days". */
const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return t(words.charAt(0).toUpperCase() + words.slice(1))
}

/** What a field is called: what the screen says, else its name in the API in words. */
export const labelOf = (field: FormField, path: string, { labels }: FieldTexts): string =>
  labels?.[patternOf(path)] ?? titleOf(field.name)

const hasRows = ({ type, item }: FormField): boolean =>
  type === 'map' || (type === 'list' && item?.words === undefined)

/** A field with its label, its control and what is wrong with it; and those that are in it. */
export function FieldOf(props: Props) {
  const { form, texts, field, path, value, autoFocus = false } = props
  const pattern = patternOf(path)
  const label = labelOf(field, path, texts)
  const control = texts.controls?.[pattern]
  if (control === undefined && field.type === 'object') return <Group {...props} label={label} />
  if (control === undefined && hasRows(field)) return <Rows {...props} label={label} />
  return (
    <Leaf
      {...{ field, control, label, value, autoFocus }}
      name={path}
      description={texts.descriptions?.[pattern]}
      error={faultBelow(form, path)}
      isRequired={field.required === true}
      draft={form.draft}
      onChange={(next) => form.change(path, next)}
    />
  )
}

const faultBelow = ({ faults }: FormState, path: string): string | undefined =>
  faults.find(({ field }) => field === path || field.startsWith(`${path}[`) || field.startsWith(`${path}.`))
    ?.message

const faultAt = ({ faults }: FormState, path: string): string | undefined =>
  faults.find(({ field }) => field === path)?.message

interface PartProps extends Props {
  readonly label: string
}

/** The fields of a thing in a thing. One that need not be there is added and taken away as a whole. */
function Group({ form, texts, field, path, value, label }: PartProps) {
  const isThere = value !== null && value !== ''
  const fault = isThere ? faultAt(form, path) : faultBelow(form, path)
  const shown = (field.fields ?? []).filter(
    ({ name }) => !texts.without?.includes(patternOf(`${path}.${name}`)),
  )
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      <Fault message={fault} />
      {isThere &&
        shown.map((inner) => (
          <FieldOf
            key={inner.name}
            {...{ form, texts }}
            field={inner}
            path={`${path}.${inner.name}`}
            value={(value as Draft)[inner.name] ?? draftValueOf(inner, undefined)}
          />
        ))}
      {!field.required && (
        <div>
          <Button
            label={isThere ? t('Remove: {name}', { name: label }) : t('Add: {name}', { name: label })}
            onPress={() => form.change(path, isThere ? null : draftOf(field.fields ?? [], {}))}
          >
            {isThere ? t('Remove') : t('Add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

const ROW: FormField = {
  name: '',
  type: 'object',
  required: true,
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'value', type: 'text' },
  ],
}

/** The items of a list, or the names and texts of a map: they are added at the end, moved and taken away. */
function Rows({ form, texts, field, path, value, label }: PartProps) {
  const rows = value as readonly DraftValue[]
  const item = field.type === 'map' ? ROW : { ...itemOf(field), required: true as const }
  const about = texts.descriptions?.[patternOf(path)]
  const change = (next: readonly DraftValue[]) => form.change(path, next)
  const move = (from: number, to: number) => {
    const next = rows.toSpliced(from, 1)
    change(next.toSpliced(to, 0, rows[from] ?? ''))
  }
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {about && <p className={styles.about}>{about}</p>}
      <Fault message={faultAt(form, path)} />
      {rows.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their place.
        <div key={i} className={`${styles.row} ${item.type === 'object' ? '' : styles.single}`}>
          {item.type === 'object' ? (
            (item.fields ?? []).map((inner) => (
              <FieldOf
                key={inner.name}
                {...{ form, texts }}
                field={inner}
                path={`${path}[${i}].${inner.name}`}
                value={(row as Draft)[inner.name] ?? draftValueOf(inner, undefined)}
              />
            ))
          ) : (
            <FieldOf
              {...{ form, texts }}
              texts={{
                ...texts,
                labels: { [`${patternOf(path)}[]`]: `${label} ${i + 1}`, ...texts.labels },
                // An item of a list is one line, however long the API lets it be.
                ...(item.type === 'text' && {
                  controls: { [`${patternOf(path)}[]`]: 'text', ...texts.controls },
                }),
              }}
              field={item}
              path={`${path}[${i}]`}
              value={row}
            />
          )}
          <div className={styles.acts}>
            {field.type === 'list' && i > 0 && (
              <Button
                kind="quiet"
                label={t('Move up: {name}', { name: `${label} ${i + 1}` })}
                onPress={() => move(i, i - 1)}
              >
                ↑
              </Button>
            )}
            <Button
              kind="quiet"
              label={t('Remove: {name}', { name: `${label} ${i + 1}` })}
              onPress={() => change(rows.toSpliced(i, 1))}
            >
              ✕
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button
          label={t('Add: {name}', { name: label })}
          isDisabled={field.max !== undefined && rows.length >= field.max}
          onPress={() => change([...rows, draftValueOf(item, undefined)])}
        >
          {t('Add')}
        </Button>
      </div>
    </fieldset>
  )
}

/** What is wrong with a part as a whole. */
function Fault({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null
  return (
    <p className={styles.fault} role="alert" data-fault>
      {message}
    </p>
  )
}
