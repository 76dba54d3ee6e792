import type { Discussion } from '@guildhall/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { SuspendMember } from '../../ui/suspend-member/suspend-member.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Comments } from './comments.tsx'
import { EditDiscussion, MoveDiscussion, RemovePost, Revisions } from './dialogs.tsx'
import { PostView } from './post.tsx'
import { useAct, useAllCategories, useDiscussion } from './queries.ts'

type Open = 'edit' | 'move' | 'remove' | 'revisions' | 'suspend'

export function DiscussionDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useDiscussion(id)
  const { data: categories = [] } = useAllCategories()
  const { canChange } = useRights()
  const [open, setOpen] = useState<Open>()
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { discussion } = read
  const category = categories.find(({ slug }) => slug === discussion.category)
  return (
    <Page
      title={discussion.title}
      back={
        <Link to="/$project/$side/discussions" params={{ project, side }}>
          {t('All discussions')}
        </Link>
      }
      actions={canChange && <Acts discussion={discussion} onOpen={setOpen} />}
    >
      <Section title={t('Discussion')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{discussion.id}</code>],
            [
              t('Category'),
              <Link
                key="category"
                to="/$project/$side/discussions"
                params={{ project, side }}
                search={{ category: discussion.category } as never}
              >
                <bdi>{category?.name ?? discussion.category}</bdi>
              </Link>,
            ],
            [
              t('Status'),
              <span key="status">
                <Badge state={discussion.status} />
                {discussion.is_pinned && <Badge state="pinned" />}
                {discussion.is_locked && <Badge state="locked" />}
              </span>,
            ],
            [t('Comments'), discussion.comment_count.toLocaleString(spokenLanguage())],
            [t('Last activity'), <Time key="activity" at={discussion.last_activity_at} />],
          ]}
        />
        <PostView
          post={discussion}
          onRevisions={() => setOpen('revisions')}
          acts={canChange && <Button onPress={() => setOpen('suspend')}>{t('Suspend the author')}</Button>}
        />
      </Section>
      <Comments discussion={discussion} canChange={canChange} />
      <Dialogs read={read} open={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

interface ActsProps {
  readonly discussion: Discussion
  readonly onOpen: (open: Open) => void
}

/** What can be done with the discussion. Pins and locks are taken back as they are set, so nothing asks before them. */
function Acts({ discussion: { id, is_pinned, is_locked, status }, onOpen }: ActsProps) {
  const { client } = useProject()
  const pin = useAct(() => client.discussions.pin(id, { pinned: !is_pinned }))
  const lock = useAct(() => client.discussions.lock(id, { locked: !is_locked }))
  const failure = pin.error ?? lock.error
  if (status === 'removed') return null
  return (
    <>
      {failure && <ErrorNotice error={failure} />}
      <Button isPending={pin.isPending} onPress={() => pin.mutate()}>
        {is_pinned ? t('Unpin') : t('Pin')}
      </Button>
      <Button isPending={lock.isPending} onPress={() => lock.mutate()}>
        {is_locked ? t('Unlock') : t('Lock')}
      </Button>
      <Button onPress={() => onOpen('move')}>{t('Move')}</Button>
      <Button onPress={() => onOpen('edit')}>{t('Edit')}</Button>
      <Button kind="danger" onPress={() => onOpen('remove')}>
        {t('Remove')}
      </Button>
    </>
  )
}

interface DialogsProps {
  readonly read: { readonly discussion: Discussion; readonly etag: string | undefined }
  readonly open: Open | undefined
  readonly onClose: () => void
}

function Dialogs({ read, open, onClose }: DialogsProps) {
  const { client, project, side } = useProject()
  const navigate = useNavigate()
  const { discussion } = read
  switch (open) {
    case 'edit':
      return <EditDiscussion {...read} onClose={onClose} />
    case 'move':
      return <MoveDiscussion {...read} onClose={onClose} />
    case 'revisions':
      return <Revisions of="discussions" id={discussion.id} onClose={onClose} />
    case 'suspend':
      return (
        <SuspendMember
          id={discussion.author_id}
          name={discussion.author?.display_name ?? discussion.author_id}
          onClose={onClose}
        />
      )
    case 'remove':
      return (
        <RemovePost
          title={t('Remove “{title}”?', { title: discussion.title })}
          effect={t(
            'It and its {count} {count:comment|comments} are seen by your team alone. It cannot be restored.',
            {
              count: discussion.comment_count,
            },
          )}
          remove={(reason) => client.discussions.delete(discussion.id, { reason })}
          onDone={() => navigate({ to: '/$project/$side/discussions', params: { project, side } })}
          onClose={onClose}
        />
      )
    default:
      return null
  }
}
