import type {
  ModerationRule,
  ModerationRuleChanges,
  ModerationRuleKind,
  NewModerationRule,
} from '@guildhall/sdk'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { moderationRulesCreate, moderationRulesUpdate } from '../../forms.generated/moderation.ts'
import type { ControlProps } from '../../ui/schema-form/controls.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { kindNames } from './case.tsx'
import { useReadAgain, useReadRule } from './queries.ts'

/** What an operator can make here. A hook has a secret, which keys alone set. */
const KINDS: readonly ModerationRuleKind[] = ['words', 'links', 'rate', 'duplicates', 'age']
const ALWAYS = ['name', 'action', 'younger_than_hours', 'fewer_posts_than']
/** The fields that only rules of a kind have. */
const OF_KIND: Readonly<Record<string, readonly string[]>> = {
  words: ['words'],
  links: ['max_links'],
  rate: ['max_posts', 'per_minutes'],
  duplicates: ['per_minutes'],
}
const FIELDS = [
  'kind',
  'name',
  'action',
  'words',
  'max_links',
  'max_posts',
  'per_minutes',
  ...ALWAYS.slice(2),
]

interface Props {
  /** Without it, a new one is made. */
  readonly read?: { readonly rule: ModerationRule; readonly etag: string | undefined }
  readonly onClose: () => void
}

/** Makes or changes a moderation rule. */
export function EditRule({ read, onClose }: Props) {
  const { client } = useProject()
  const readRule = useReadRule()
  const readAgain = useReadAgain()
  const rule = read?.rule
  const form = useSchemaForm<NewModerationRule & ModerationRuleChanges>({
    operation: rule ? moderationRulesUpdate : moderationRulesCreate,
    fields: rule ? FIELDS.slice(1) : FIELDS,
    isShown: (name, draft) =>
      [...ALWAYS, 'kind'].includes(name) ||
      (OF_KIND[rule?.kind ?? String(draft['kind'])] ?? []).includes(name),
    ...(read && {
      read: { value: read.rule, etag: read.etag },
      readAgain: async () => {
        const { rule: value, etag } = await readRule(read.rule.id)
        return { value, etag }
      },
      of: read.rule.id,
    }),
    initial: { kind: 'words', action: 'hold' },
    send: (body, options) =>
      rule
        ? client.moderation.rules.update(rule.id, body, options)
        : client.moderation.rules.create(body as NewModerationRule),
    onDone: async () => {
      await readAgain()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={rule ? t('Edit the rule') : t('Create a rule')}
      verb={rule ? t('Save') : t('Create')}
      labels={{
        ...{ kind: t('Kind'), name: t('Name'), action: t('What it does'), words: t('Words') },
        ...{ max_links: t('Links that are allowed'), max_posts: t('Posts that are allowed') },
        per_minutes: t('Minutes'),
        younger_than_hours: t('Only authors who joined less than so many hours ago'),
        fewer_posts_than: t('Only authors with fewer posts than'),
      }}
      descriptions={{
        name: t('For your team'),
        words: t('One on each line. Case, accents and letters that look alike are the same.'),
      }}
      controls={{
        kind: { options: KINDS.map((id) => ({ id, name: kindNames()[id] ?? id })) },
        action: {
          options: [
            { id: 'hold', name: t('Hold: a moderator looks at the post first') },
            { id: 'refuse', name: t('Refuse: the author is told at once') },
          ],
        },
        words: (props) => <WordList {...props} />,
      }}
      onClose={onClose}
    />
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** A list of texts, one on each line. Lines that are empty while somebody types are none. */
function WordList({ label, name, value, onChange, description, error }: ControlProps) {
  const words = Array.isArray(value) ? value.map(String) : []
  const [text, setText] = useState(words.join('\n'))
  // The value may be changed by something else, such as a draft of before.
  const shown = linesOf(text).join('\n') === words.join('\n') ? text : words.join('\n')
  return (
    <TextArea
      {...{ label, name, description, error }}
      rows={6}
      value={shown}
      onChange={(next) => {
        setText(next)
        onChange(linesOf(next))
      }}
    />
  )
}
