import type {
  ModerationRule,
  ModerationRuleAction,
  ModerationRuleKind,
  NewModerationRule,
} from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { kindNames } from './case.tsx'
import { useAct } from './queries.ts'

/** What an operator can make here. A hook has a secret, which keys alone set. */
const KINDS: readonly ModerationRuleKind[] = ['words', 'links', 'rate', 'duplicates', 'age']
/** The numbers that a rule of a kind has. */
const NUMBERS: Readonly<Record<string, readonly NumberField[]>> = {
  links: ['max_links'],
  rate: ['max_posts', 'per_minutes'],
  duplicates: ['per_minutes'],
}
type NumberField = 'max_links' | 'max_posts' | 'per_minutes'
const AUTHORS = ['younger_than_hours', 'fewer_posts_than'] as const

const labels = (): Readonly<Record<NumberField | (typeof AUTHORS)[number], string>> => ({
  max_links: t('Links that are allowed'),
  max_posts: t('Posts that are allowed'),
  per_minutes: t('Minutes'),
  younger_than_hours: t('Only authors who joined less than so many hours ago'),
  fewer_posts_than: t('Only authors with fewer posts than'),
})

interface Props {
  /** Without it, a new one is made. */
  readonly read?: { readonly rule: ModerationRule; readonly etag: string | undefined }
  readonly onClose: () => void
}

/** Makes or changes a moderation rule. */
export function EditRule({ read, onClose }: Props) {
  const { client } = useProject()
  const rule = read?.rule
  const [kind, setKind] = useState<string>(rule?.kind ?? 'words')
  const [action, setAction] = useState<string>(rule?.action ?? 'hold')
  const numbers = NUMBERS[kind] ?? []
  const { mutate, isPending, error } = useAct((form: FormData) => {
    const body = { action: action as ModerationRuleAction, ...bodyOf(form, kind) }
    return rule === undefined
      ? client.moderation.rules.create({ kind: kind as ModerationRuleKind, ...body } as NewModerationRule)
      : client.moderation.rules.update(rule.id, body, {
          ...(read?.etag !== undefined && { ifMatch: read.etag }),
        })
  }, onClose)
  const fieldOf = (name: NumberField | (typeof AUTHORS)[number]) => (
    <TextField
      key={name}
      label={labels()[name]}
      name={name}
      inputMode="numeric"
      defaultValue={rule?.[name] == null ? '' : String(rule[name])}
      error={faultOf(error, name)}
    />
  )
  return (
    <FormDialog
      title={rule === undefined ? t('Create a rule') : t('Edit the rule')}
      verb={rule === undefined ? t('Create') : t('Save')}
      isPending={isPending}
      error={error}
      fields={['kind', 'name', 'action', 'words', ...numbers, ...AUTHORS]}
      onSubmit={mutate}
      onClose={onClose}
    >
      {rule === undefined && (
        <Select
          label={t('Kind')}
          isLabelShown
          options={KINDS.map((id) => ({ id, name: kindNames()[id] ?? id }))}
          value={kind}
          onChange={setKind}
          error={faultOf(error, 'kind')}
        />
      )}
      <TextField
        label={t('Name')}
        name="name"
        defaultValue={rule?.name ?? ''}
        description={t('For your team')}
        autoFocus
        error={faultOf(error, 'name')}
      />
      <Select
        label={t('What it does')}
        isLabelShown
        options={[
          { id: 'hold', name: t('Hold: a moderator looks at the post first') },
          { id: 'refuse', name: t('Refuse: the author is told at once') },
        ]}
        value={action}
        onChange={setAction}
        error={faultOf(error, 'action')}
      />
      {kind === 'words' && (
        <TextArea
          label={t('Words')}
          name="words"
          rows={6}
          defaultValue={rule?.words.join('\n') ?? ''}
          description={t('One on each line. Case, accents and letters that look alike are the same.')}
          error={faultOf(error, 'words')}
        />
      )}
      {numbers.map(fieldOf)}
      {AUTHORS.map(fieldOf)}
    </FormDialog>
  )
}

/** What the fields of the form say; an empty limit of authors is none. */
function bodyOf(form: FormData, kind: string) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const number = (name: string) => (text(name) === '' ? undefined : Number(text(name)))
  const words = text('words')
    .split('\n')
    .map((word) => word.trim())
    .filter(Boolean)
  return {
    name: text('name'),
    ...(kind === 'words' && { words }),
    ...Object.fromEntries((NUMBERS[kind] ?? []).map((name) => [name, number(name)])),
    ...Object.fromEntries(AUTHORS.map((name) => [name, number(name) ?? null])),
  }
}
