import type { Goal, GoalChanges } from '@guildhall/sdk'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { analyticsGoalsUpdate } from '../../forms.generated/analytics.ts'
import { ReadFirst } from '../../ui/schema-form/read-first.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { useGoal, useReadReports } from './queries.ts'

interface Props {
  readonly goal: Goal
  readonly onClose: () => void
}

/** Changes a goal: reports count anew by it, also for the days before. */
export function EditGoal({ goal: { id, name }, onClose }: Props) {
  const query = useGoal(id)
  const title = t('Edit {name}', { name })
  return (
    <ReadFirst {...{ title, query, onClose }}>
      {(read) => <GoalForm read={read} title={title} onClose={onClose} />}
    </ReadFirst>
  )
}

interface FormProps {
  readonly read: Read<Goal>
  readonly title: string
  readonly onClose: () => void
}

function GoalForm({ read, title, onClose }: FormProps) {
  const { id, event } = read.value
  const { client } = useProject()
  const { readAgain } = useGoal(id)
  const readReports = useReadReports()
  const form = useSchemaForm<GoalChanges>({
    operation: analyticsGoalsUpdate,
    // What a goal counts stays a page, or an event.
    fields: ['name', event === null ? 'page' : 'event'],
    read,
    readAgain,
    of: id,
    send: (body, options) => client.analytics.goals.update(id, body, options),
    onDone: async () => {
      await readReports()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={title}
      verb={t('Save')}
      labels={{ name: t('Name'), event: t('Name of the event'), page: t('Path of the page') }}
      descriptions={{ name: '', event: t('Such as sign_up'), page: t('Such as /thanks, or /shop/*/thanks') }}
      controls={{ page: 'text' }}
      onClose={onClose}
    />
  )
}
