import type { FeedbackItem } from '@guildhall/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Comments } from './comments.tsx'
import styles from './detail.module.css'
import { EditItem } from './edit.tsx'
import { titleOf } from './list.tsx'
import { MergeItem } from './merge.tsx'
import { Similar, StatusChanges, Voters } from './parts.tsx'
import { useAct, useItem, useReadAgain } from './queries.ts'
import { SetItemStatus } from './set-status.tsx'

type Open = 'edit' | 'status' | 'merge' | 'delete'

export function FeedbackDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useItem(id)
  const { canChange } = useRights()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { item } = read
  return (
    <Page
      title={titleOf(item)}
      back={
        <Link to="/$project/$side/feedback" params={{ project, side }}>
          {t('All feedback')}
        </Link>
      }
      actions={canChange && <Acts item={item} onOpen={setOpen} />}
    >
      <Section title={t('Item')}>
        <ItemFields item={item} />
        <p dir="auto" className={styles.message}>
          {item.message}
        </p>
        {item.files !== undefined && item.files.length > 0 && (
          <ul aria-label={t('Attachments')}>
            {item.files.map((file) => (
              <li key={file.id}>
                <a href={file.url} target="_blank" rel="noopener noreferrer">
                  <bdi>{file.name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Comments itemId={id} canChange={canChange} />
      <Voters itemId={id} />
      <StatusChanges itemId={id} />
      <Similar itemId={id} />
      {open === 'edit' && <EditItem read={read} onClose={close} />}
      {open === 'status' && <SetItemStatus item={item} onClose={close} />}
      {open === 'merge' && <MergeItem item={item} onClose={close} />}
      {open === 'delete' && <DeleteItem item={item} onClose={close} />}
    </Page>
  )
}

function ItemFields({ item }: { readonly item: FeedbackItem }) {
  const { project, side } = useProject()
  return (
    <Fields
      fields={[
        [t('Id'), <code key="id">{item.id}</code>],
        [
          t('Status'),
          <span key="status">
            <Badge state={item.status} />
            {item.visibility === 'private' && <Badge state="private" />}
            {item.moderation_status && <Badge state={item.moderation_status} />}
          </span>,
        ],
        [t('Note'), item.status_note && <bdi>{item.status_note}</bdi>],
        [t('Type'), <Badge key="type" state={item.type} />],
        [t('Votes'), item.vote_count.toLocaleString(spokenLanguage())],
        [
          t('Merged into'),
          item.merged_into && (
            <Link to="/$project/$side/feedback/$id" params={{ project, side, id: item.merged_into }}>
              <MergedInto id={item.merged_into} />
            </Link>
          ),
        ],
        [
          t('From'),
          <Author key="from" id={item.user_id} author={item.author} nobody={item.email ?? t('Nobody')} />,
        ],
        [t('Email address'), item.email],
        [t('Created'), <Time key="created" at={item.created_at} />],
        ...Object.entries(item.metadata ?? {}).map(
          ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
        ),
      ]}
    />
  )
}

/** The title of the item that another one is merged into. */
function MergedInto({ id }: { readonly id: string }) {
  const { data: read } = useItem(id)
  return <bdi>{read === undefined ? id : titleOf(read.item)}</bdi>
}

interface ActsProps {
  readonly item: FeedbackItem
  readonly onOpen: (open: Open) => void
}

/** A duplicate has the status of what it is merged into, so that only the merge is undone. */
function Acts({ item, onOpen }: ActsProps) {
  const { client } = useProject()
  const unmerge = useAct(() => client.feedback.merge(item.id, { into: null }))
  return (
    <>
      {unmerge.error && <ErrorNotice error={unmerge.error} />}
      {item.merged_into === null ? (
        <>
          <Button kind="primary" onPress={() => onOpen('status')}>
            {t('Set the status')}
          </Button>
          <Button onPress={() => onOpen('merge')}>{t('Merge')}</Button>
        </>
      ) : (
        <Button isPending={unmerge.isPending} onPress={() => unmerge.mutate()}>
          {t('Undo the merge')}
        </Button>
      )}
      <Button onPress={() => onOpen('edit')}>{t('Edit')}</Button>
      <Button kind="danger" onPress={() => onOpen('delete')}>
        {t('Delete')}
      </Button>
    </>
  )
}

/** What many have voted for is deleted by a typed verb. */
function DeleteItem({ item, onClose }: { readonly item: FeedbackItem; readonly onClose: () => void }) {
  const { client, project, side } = useProject()
  const navigate = useNavigate()
  const readAgain = useReadAgain()
  const count = item.vote_count
  return (
    <Confirm
      title={t('Delete “{name}”?', { name: titleOf(item) })}
      verb={t('Delete')}
      risk={count > 1 ? 'verb' : 'plain'}
      act={() => client.feedback.delete(item.id)}
      onDone={async () => {
        await navigate({ to: '/$project/$side/feedback', params: { project, side } })
        await readAgain()
      }}
      onClose={onClose}
    >
      {t('Its {count} {count:vote|votes} and all its comments are deleted with it. This cannot be undone.', {
        count,
      })}
    </Confirm>
  )
}
