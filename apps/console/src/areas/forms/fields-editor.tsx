import type { FormFieldType } from '@guildhall/sdk'
import { useEffect, useState } from 'react'
import type { FormField } from '../../data/form-fields.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { OrderList } from '../../ui/order-list/order-list.tsx'
import { FieldOf, type FieldTexts } from '../../ui/schema-form/field.tsx'
import type { FormState } from '../../ui/schema-form/use-schema-form.ts'
import { type Draft, draftValueOf, itemOf } from '../../ui/schema-form/values.ts'
import { Select } from '../../ui/select/select.tsx'
import { hasChoices, newIdOf, partsOf, rulesOf } from './field-types.ts'
import styles from './forms.module.css'
import { FIELD_TYPES, fieldTypeName } from './words.ts'

interface Props {
  readonly form: FormState
  readonly canChange: boolean
}

/** A field in the draft, with its place and what names it in the list: its id, also while two have the same. */
interface Placed {
  readonly key: string
  readonly at: number
  readonly field: Draft
}

const placed = (fields: readonly Draft[]): readonly Placed[] =>
  fields.map((field, at) => {
    const same = fields.slice(0, at).filter(({ id }) => id === field['id']).length
    return { key: `${field['id']} ${same}`, at, field }
  })

/** The fields of a form: their order, what each is, and what belongs to the one that is open. */
export function FieldsEditor({ form, canChange }: Props) {
  const fields = (form.draft['fields'] ?? []) as readonly Draft[]
  const [open, setOpen] = useState<number>()
  // The first field that is refused is opened.
  const faulty = form.faults.flatMap(({ field }) => /^fields\[(\d+)\]/.exec(field)?.[1] ?? [])[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal.
  useEffect(() => {
    if (faulty !== undefined) setOpen(Number(faulty))
  }, [form.refusals])
  const add = (type: FormFieldType) => {
    const made = draftValueOf(itemOf(listOf(form)), {
      ...{ id: newIdOf(type, fields), type, label: fieldTypeName(type) },
      ...(hasChoices(type) && { options: [1, 2].map(optionOf) }),
    })
    form.change('fields', [...fields, made])
    setOpen(fields.length)
  }
  const items = placed(fields)
  const order = (next: readonly Placed[]) => {
    form.change(
      'fields',
      next.map(({ field }) => field),
    )
    if (open !== undefined) setOpen(next.findIndex(({ at }) => at === open))
  }
  return (
    <>
      {fields.length === 0 && <Empty title={t('This form asks nothing yet')} />}
      <OrderList<Placed>
        label={t('Fields')}
        items={items}
        keyOf={({ key }) => key}
        nameOf={({ field }) => labelOf(field)}
        onOrder={canChange ? order : undefined}
        open={items.find(({ at }) => at === open)?.key}
        onOpen={(key) => setOpen(items.find((each) => each.key === key)?.at)}
      >
        {({ field }) => (
          <div className={styles.field}>
            <bdi className={styles.name}>{labelOf(field)}</bdi>
            <span className={styles.soft}>
              {fieldTypeName(String(field['type']))}
              {field['required'] === true && ` · ${t('required')}`}
              {field['visible_if'] && ` · ${t('sometimes')}`}
            </span>
          </div>
        )}
      </OrderList>
      {canChange && <AddField onAdd={add} />}
      {open !== undefined && fields[open] !== undefined && (
        <OneField
          key={open}
          form={form}
          at={open}
          fields={fields}
          onRemove={() => {
            form.change('fields', fields.toSpliced(open, 1))
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

const labelOf = (field: Draft): string => String(field['label'] || field['id'])
const listOf = ({ fields }: FormState): FormField =>
  fields.find(({ name }) => name === 'fields') ?? { name: 'fields', type: 'list' }
const optionOf = (number: number) => ({
  value: `option-${number}`,
  label: t('Option {number}', { number }),
})

function AddField({ onAdd }: { readonly onAdd: (type: FormFieldType) => void }) {
  const [type, setType] = useState<FormFieldType>('text')
  return (
    <div className={styles.add}>
      <Select
        label={t('Type of the new field')}
        options={FIELD_TYPES.map((id) => ({ id, name: fieldTypeName(id) }))}
        value={type}
        onChange={(id) => setType(id as FormFieldType)}
      />
      <Button onPress={() => onAdd(type)}>{t('Add a field')}</Button>
    </div>
  )
}

interface OneProps {
  readonly form: FormState
  readonly at: number
  readonly fields: readonly Draft[]
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** All that a field has, as far as its type has it. */
function OneField({ form, at, fields, onRemove, onClose }: OneProps) {
  const field = fields[at] ?? {}
  const type = String(field['type'])
  const parts = (itemOf(listOf(form)).fields ?? []).filter(({ name }) => partsOf(type).includes(name))
  return (
    <section className={styles.one} aria-label={t('Field: {name}', { name: labelOf(field) })}>
      {parts.map((part, i) => (
        <FieldOf
          key={part.name}
          form={form}
          texts={textsOf(type, fields.slice(0, at))}
          field={part}
          path={`fields[${at}].${part.name}`}
          value={field[part.name] ?? draftValueOf(part, undefined)}
          autoFocus={i === 0}
        />
      ))}
      <div className={styles.actions}>
        <Button kind="danger" onPress={onRemove}>
          {t('Remove the field')}
        </Button>
        <Button onPress={onClose}>{t('Close')}</Button>
      </div>
    </section>
  )
}

const operators = (): Readonly<Record<string, string>> => ({
  equals: t('is'),
  not_equals: t('is not'),
  contains: t('contains'),
  not_contains: t('does not contain'),
  greater_than: t('is greater than'),
  less_than: t('is less than'),
  is_empty: t('is empty'),
  is_not_empty: t('is filled in'),
})

/** @param before the fields before this one: conditions can ask those alone */
function textsOf(type: string, before: readonly Draft[]): FieldTexts {
  const rules = rulesOf(type)
  return {
    labels: {
      'fields[].label': t('What people read'),
      'fields[].id': t('Id'),
      'fields[].type': t('Type'),
      'fields[].required': t('A value is required'),
      'fields[].placeholder': t('Text in the empty field'),
      'fields[].help_text': t('Text below the field'),
      'fields[].default': t('Value at first'),
      'fields[].options': t('Options'),
      'fields[].options[].value': t('Value'),
      'fields[].options[].label': t('What people read'),
      'fields[].validation': t('Rules for the value'),
      'fields[].validation.min': type === 'date' ? t('Earliest') : t('Smallest'),
      'fields[].validation.max': type === 'date' ? t('Latest') : t('Largest'),
      'fields[].validation.min_length': t('Fewest characters'),
      'fields[].validation.max_length': t('Most characters'),
      'fields[].validation.pattern': t('Pattern'),
      'fields[].validation.allowed_types': t('Types of files, such as image/*'),
      'fields[].validation.max_size': t('Largest file in bytes'),
      'fields[].visible_if': t('Shown only if'),
      'fields[].visible_if.match': t('How many conditions must fit'),
      'fields[].visible_if.conditions': t('Conditions'),
      'fields[].visible_if.conditions[].field': t('Field'),
      'fields[].visible_if.conditions[].operator': t('Comparison'),
      'fields[].visible_if.conditions[].value': t('Value'),
    },
    descriptions: { 'fields[].required': '', 'fields[].validation': '', 'fields[].visible_if': '' },
    controls: {
      'fields[].label': 'text',
      'fields[].help_text': 'textarea',
      'fields[].placeholder': 'text',
      'fields[].type': { options: FIELD_TYPES.map((id) => ({ id, name: fieldTypeName(id) })) },
      'fields[].visible_if.match': {
        options: [
          { id: 'all', name: t('All') },
          { id: 'any', name: t('One is enough') },
        ],
      },
      'fields[].visible_if.conditions[].field': {
        options: before
          .filter((each) => each['type'] !== 'section')
          .map((each) => ({ id: String(each['id']), name: labelOf(each) })),
      },
      'fields[].visible_if.conditions[].operator': {
        options: Object.entries(operators()).map(([id, name]) => ({ id, name })),
      },
    },
    without: VALIDATION.filter((name) => !rules.includes(name)).map((name) => `fields[].validation.${name}`),
  }
}

const VALIDATION = ['min', 'max', 'min_length', 'max_length', 'pattern', 'allowed_types', 'max_size']
