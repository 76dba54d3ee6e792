import type { FeedbackComment } from '@guildhall/sdk'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { faultOf, isOnFields } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { Checkbox } from '../../ui/checkbox/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { RichText } from '../../ui/rich-text/rich-text.tsx'
import { SuspendMember } from '../../ui/suspend-member/suspend-member.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './detail.module.css'
import { useAct, useComments } from './queries.ts'

interface Props {
  readonly itemId: string
  readonly canChange: boolean
}

/** What members and the team say about an item. */
export function Comments({ itemId, canChange }: Props) {
  const list = useComments(itemId)
  const { data, error, search, change } = list
  const { page = 1 } = search
  return (
    <Section title={t('Comments')}>
      {error && <ErrorNotice error={error} onRetry={list.refetch} />}
      {data?.data.length === 0 && <Empty title={t('Nobody has commented yet')} />}
      <div className={styles.comments}>
        {data?.data.map((comment) => (
          <CommentView key={comment.id} comment={comment} canChange={canChange} />
        ))}
      </div>
      {data !== undefined && (data.next_cursor !== null || page > 1) && (
        <Pagination
          page={page}
          hasNext={data.next_cursor !== null}
          total={data.pagination?.total}
          onPage={(wanted) => change({ page: wanted })}
        />
      )}
      {canChange && <Reply itemId={itemId} />}
    </Section>
  )
}

function CommentView({
  comment,
  canChange,
}: {
  readonly comment: FeedbackComment
  readonly canChange: boolean
}) {
  const { client } = useProject()
  const [open, setOpen] = useState<'delete' | 'suspend'>()
  const close = () => setOpen(undefined)
  const remove = useAct(() => client.feedback.comments.delete(comment.id), close)
  return (
    <article className={`${styles.comment} ${comment.official ? styles.official : ''}`}>
      <header className={styles.head}>
        <Author id={comment.author_id} author={comment.author} nobody={t('The team')} />
        {comment.official && <Badge state="official" />}
        {comment.visibility === 'private' && <Badge state="private" />}
        {comment.moderation_status && <Badge state={comment.moderation_status} />}
        <Time at={comment.created_at} />
      </header>
      <RichText html={comment.content_html} />
      {canChange && (
        <Buttons>
          {comment.author_id !== null && !comment.official && (
            <Button onPress={() => setOpen('suspend')}>{t('Suspend the author')}</Button>
          )}
          <Button kind="danger" onPress={() => setOpen('delete')}>
            {t('Delete')}
          </Button>
        </Buttons>
      )}
      {open === 'delete' && (
        <FormDialog
          title={t('Delete this comment?')}
          verb={t('Delete')}
          isDanger
          isPending={remove.isPending}
          error={remove.error}
          onSubmit={() => remove.mutate()}
          onClose={close}
        >
          <p>{t('This cannot be undone.')}</p>
        </FormDialog>
      )}
      {open === 'suspend' && comment.author_id !== null && (
        <SuspendMember
          id={comment.author_id}
          name={comment.author?.display_name ?? comment.author_id}
          onClose={close}
        />
      )}
    </article>
  )
}

/** The answer of the team, to everybody or among itself. */
function Reply({ itemId }: { readonly itemId: string }) {
  const { client } = useProject()
  const [content, setContent] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const { mutate, isPending, error } = useAct(
    () =>
      client.feedback.comments.create(itemId, {
        ...{ content, official: true },
        ...(isPrivate && { visibility: 'private' as const }),
      }),
    () => setContent(''),
  )
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) mutate()
      }}
    >
      <TextArea
        label={t('Answer of the team')}
        name="content"
        description={t('Markdown')}
        value={content}
        onChange={setContent}
        error={faultOf(error, 'content')}
      />
      {error && !isOnFields(error, ['content']) && <ErrorNotice error={error} />}
      <Checkbox label={t('Only the team sees it')} isChosen={isPrivate} onChange={setPrivate} />
      <Button type="submit" isPending={isPending}>
        {isPrivate ? t('Add a note') : t('Answer in public')}
      </Button>
    </Form>
  )
}
