import type { Comment, Discussion } from '@guildhall/sdk'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { Select } from '../../ui/select/select.tsx'
import { SuspendMember } from '../../ui/suspend-member/suspend-member.tsx'
import { RemovePost, Revisions } from './dialogs.tsx'
import styles from './post.module.css'
import { PostView } from './post.tsx'
import { useAct, useComments, useReplies } from './queries.ts'
import { EditComment, WriteComment } from './write.tsx'

interface Thread {
  readonly discussion: Discussion
  readonly canChange: boolean
}

/** The comments of a discussion as a tree, page by page. */
export function Comments(thread: Thread) {
  const list = useComments(thread.discussion.id)
  const { data, error, search, change } = list
  const { page = 1, sort = 'oldest' } = search
  const [isWriting, setWriting] = useState(false)
  const mayWrite = thread.canChange && takesComments(thread.discussion)
  return (
    <Section title={t('Comments')}>
      <Select
        label={t('Order')}
        options={[
          { id: 'oldest', name: t('Oldest first') },
          { id: 'newest', name: t('Newest first') },
          { id: 'top', name: t('Most likes') },
        ]}
        value={sort}
        onChange={(value) => change({ sort: value })}
      />
      {error && <ErrorNotice error={error} onRetry={list.refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data?.data.length === 0 && <Empty title={t('Nobody has commented yet')} />}
      {mayWrite && (
        <div>
          <Button onPress={() => setWriting(true)}>{t('Write a comment')}</Button>
        </div>
      )}
      {isWriting && <WriteComment discussion={thread.discussion} onClose={() => setWriting(false)} />}
      {data !== undefined && data.data.length > 0 && (
        <>
          <div className={styles.comments}>
            {data.data.map(({ replies, ...comment }) => (
              <CommentNode key={comment.id} {...thread} comment={comment} below={replies} />
            ))}
          </div>
          <Pagination
            page={page}
            hasNext={data.next_cursor !== null}
            total={data.pagination?.total}
            onPage={(wanted) => change({ page: wanted })}
          />
        </>
      )}
    </Section>
  )
}

/** A locked discussion takes no comment of anybody. */
const takesComments = ({ is_locked, status }: Discussion): boolean => !is_locked && status === 'visible'

interface NodeProps extends Thread {
  readonly comment: Comment
  /** What the list has read of all that is below the comment of the upper level. */
  readonly below: readonly Comment[]
}

function CommentNode({ comment, below, ...thread }: NodeProps) {
  const [isWhole, setWhole] = useState(false)
  const rest = useReplies(thread.discussion.id, comment.id, isWhole)
  const read = below.filter(({ parent_id }) => parent_id === comment.id)
  const replies = rest.data ?? read
  const missing = comment.reply_count - replies.length
  return (
    <div>
      <CommentPost {...thread} comment={comment} />
      {(replies.length > 0 || missing > 0) && (
        <div className={styles.replies}>
          {replies.map((reply) => (
            <CommentNode key={reply.id} {...thread} comment={reply} below={below} />
          ))}
          {rest.error && <ErrorNotice error={rest.error} onRetry={rest.refetch} />}
          {missing > 0 && !isWhole && (
            <p>
              <Button onPress={() => setWhole(true)}>
                {t('Show {count} more {count:reply|replies}', { count: missing })}
              </Button>
            </p>
          )}
        </div>
      )}
    </div>
  )
}

type Open = 'remove' | 'revisions' | 'suspend' | 'reply' | 'edit'

function CommentPost({ discussion, canChange, comment }: Thread & { readonly comment: Comment }) {
  const { client } = useProject()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const isAnswer = discussion.answer_id === comment.id
  const answer = useAct(() =>
    client.discussions.answer(discussion.id, { comment_id: isAnswer ? null : comment.id }),
  )
  const isGone = comment.status === 'removed'
  return (
    <>
      <PostView
        post={comment}
        isAnswer={isAnswer}
        onRevisions={() => setOpen('revisions')}
        acts={
          canChange &&
          !isGone && (
            <>
              {comment.status === 'visible' && (
                <Button isPending={answer.isPending} onPress={() => answer.mutate()}>
                  {isAnswer ? t('Not the answer') : t('Mark as the answer')}
                </Button>
              )}
              {takesComments(discussion) && comment.status === 'visible' && (
                <Button onPress={() => setOpen('reply')}>{t('Reply')}</Button>
              )}
              <Button onPress={() => setOpen('edit')}>{t('Edit')}</Button>
              {comment.author_id !== null && (
                <Button onPress={() => setOpen('suspend')}>{t('Suspend the author')}</Button>
              )}
              <Button kind="danger" onPress={() => setOpen('remove')}>
                {t('Remove')}
              </Button>
            </>
          )
        }
      />
      {answer.error && <ErrorNotice error={answer.error} />}
      {open === 'reply' && <WriteComment discussion={discussion} parent={comment} onClose={close} />}
      {open === 'edit' && <EditComment comment={comment} onClose={close} />}
      {open === 'revisions' && <Revisions of="comments" id={comment.id} onClose={close} />}
      {open === 'suspend' && comment.author_id !== null && (
        <SuspendMember
          id={comment.author_id}
          name={comment.author?.display_name ?? comment.author_id}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <RemovePost
          title={t('Remove this comment?')}
          effect={t(
            'Its place stays, without its text; its {count} {count:reply stays|replies stay}. It cannot be restored.',
            {
              count: comment.reply_count,
            },
          )}
          remove={(reason) => client.comments.delete(comment.id, { reason })}
          onClose={close}
        />
      )}
    </>
  )
}
