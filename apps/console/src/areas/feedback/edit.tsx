import type { FeedbackChanges, FeedbackItem, NewFeedback } from '@guildhall/sdk'
import { useProject } from '../../data/list-query.ts'
import { t, wordOf } from '../../data/words.ts'
import { feedbackCreate, feedbackUpdate } from '../../forms.generated/feedback.ts'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { TYPES, useReadAgain, useReadItem } from './queries.ts'

interface Props {
  /** Without it, a new one is made. */
  readonly read?: { readonly item: FeedbackItem; readonly etag: string | undefined }
  readonly onClose: () => void
}

const FIELDS = ['title', 'message', 'type', 'visibility']

/** An item by the fields of its form. Many have no title. */
const valuesOf = ({ item, etag }: NonNullable<Props['read']>) => ({
  value: { ...item, title: item.title ?? null },
  etag,
})

/** Adds or changes an item of feedback. Of a change, only what differs is sent, for the item as it was read. */
export function EditItem({ read, onClose }: Props) {
  const { client } = useProject()
  const readItem = useReadItem()
  const readAgain = useReadAgain()
  const id = read?.item.id ?? ''
  const form = useSchemaForm<FeedbackChanges & NewFeedback>({
    operation: read ? feedbackUpdate : feedbackCreate,
    fields: read ? FIELDS : [...FIELDS, 'email'],
    ...(read && {
      read: valuesOf(read),
      readAgain: async () => valuesOf(await readItem(id)),
      of: id,
    }),
    initial: { type: 'feature', visibility: 'public' },
    send: (body, options) =>
      read ? client.feedback.update(id, body, options) : client.feedback.create(body),
    onDone: async () => {
      await readAgain()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={read ? t('Edit the item') : t('Add an item')}
      verb={read ? t('Save') : t('Add')}
      labels={{
        ...{ title: t('Title'), message: t('Text'), type: t('Type'), visibility: t('Visibility') },
        email: t('Email address of the sender'),
      }}
      controls={{
        type: { options: TYPES.map((type) => ({ id: type, name: wordOf(type) })) },
        visibility: {
          options: [
            { id: 'public', name: t('Public: everybody sees it and can vote') },
            { id: 'private', name: t('Private: the team and the sender see it') },
          ],
        },
      }}
      onClose={onClose}
    />
  )
}
