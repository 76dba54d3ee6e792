import type { Discussion, DiscussionChanges } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { discussionsUpdate } from '../../forms.generated/discussions.ts'
import { Author } from '../../ui/author/author.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './post.module.css'
import { useAct, useAllCategories, useReadAgain, useReadDiscussion, useRevisions } from './queries.ts'

interface OfDiscussion {
  readonly discussion: Discussion
  readonly etag: string | undefined
  readonly onClose: () => void
}

function useChange({ discussion: { id }, etag, onClose }: OfDiscussion) {
  const { client } = useProject()
  return useAct(
    (changes: DiscussionChanges) => client.discussions.update(id, changes, { ifMatch: etag }),
    onClose,
  )
}

/** A discussion by the fields of its form. */
const valuesOf = ({ discussion, etag }: Omit<OfDiscussion, 'onClose'>) => ({ value: discussion, etag })

/** Changes the words of a discussion. Its earlier version is kept. */
export function EditDiscussion({ onClose, ...read }: OfDiscussion) {
  const { client } = useProject()
  const readDiscussion = useReadDiscussion()
  const readAgain = useReadAgain()
  const { id } = read.discussion
  const form = useSchemaForm<DiscussionChanges>({
    operation: discussionsUpdate,
    fields: ['title', 'content'],
    read: valuesOf(read),
    readAgain: async () => valuesOf(await readDiscussion(id)),
    of: id,
    send: (body, options) => client.discussions.update(id, body, options),
    onDone: async () => {
      await readAgain()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit the discussion')}
      verb={t('Save')}
      labels={{ title: t('Title'), content: t('Text') }}
      descriptions={{ content: t('Markdown. The author’s earlier version is kept.') }}
      onClose={onClose}
    />
  )
}

/** Moves a discussion to another category, whose plans may see it then. */
export function MoveDiscussion(of: OfDiscussion) {
  const { data: categories = [] } = useAllCategories()
  const [slug, setSlug] = useState(of.discussion.category)
  const { mutate, isPending, error } = useChange(of)
  const to = categories.find((each) => each.slug === slug)
  return (
    <FormDialog
      title={t('Move the discussion')}
      verb={t('Move')}
      isPending={isPending}
      error={error}
      fields={['category']}
      onSubmit={() => (slug === of.discussion.category ? of.onClose() : mutate({ category: slug }))}
      onClose={of.onClose}
    >
      <Select
        label={t('Category')}
        isLabelShown
        options={categories.map((each) => ({ id: each.slug, name: each.name }))}
        value={slug}
        onChange={setSlug}
        error={faultOf(error, 'category')}
      />
      <p>
        {to?.requires_plan
          ? t('Only members on {count:the plan of the category|one of its {count} plans} see it there.', {
              count: to.required_plans.length,
            })
          : t('Everybody sees it there.')}
      </p>
    </FormDialog>
  )
}

interface RemoveProps {
  readonly title: string
  /** What is gone with it. */
  readonly effect: string
  /** @param reason for the audit log */
  readonly remove: (reason: string | undefined) => PromiseLike<unknown>
  readonly onDone?: () => void
  readonly onClose: () => void
}

export function RemovePost({ title, effect, remove, onDone, onClose }: RemoveProps) {
  const { mutate, isPending, error } = useAct(
    (reason: string | undefined) => remove(reason),
    () => {
      onClose()
      onDone?.()
    },
  )
  return (
    <FormDialog
      title={title}
      verb={t('Remove')}
      isDanger
      isPending={isPending}
      error={error}
      fields={['reason']}
      onSubmit={(form) => mutate(String(form.get('reason') ?? '').trim() || undefined)}
      onClose={onClose}
    >
      <p>{effect}</p>
      <TextField
        label={t('Reason')}
        name="reason"
        description={t('For the audit log of your team')}
        autoFocus
        error={faultOf(error, 'reason')}
      />
    </FormDialog>
  )
}

interface RevisionsProps {
  readonly of: 'discussions' | 'comments'
  readonly id: string
  readonly onClose: () => void
}

/** What was written before, the newest first. */
export function Revisions({ of, id, onClose }: RevisionsProps) {
  const { data, error, refetch } = useRevisions(of, id)
  return (
    <Dialog title={t('Earlier versions')} isOpen onClose={onClose}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data?.length === 0 && <Empty title={t('There is no earlier version')} />}
      <div className={styles.revisions}>
        {data?.map((revision) => (
          <section key={revision.id} className={styles.revision}>
            <p>
              {t('Replaced')} <Time at={revision.created_at} />
            </p>
            <Author id={revision.author_id} author={revision.author} />
            {revision.title !== null && (
              <p>
                <strong>
                  <bdi>{revision.title}</bdi>
                </strong>
              </p>
            )}
            <pre dir="auto">{revision.content}</pre>
          </section>
        ))}
      </div>
      <Button onPress={onClose}>{t('Close')}</Button>
    </Dialog>
  )
}
