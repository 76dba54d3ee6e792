import type {
  Comment,
  CommentChanges,
  Discussion,
  NewComment,
  NewDiscussion as NewDiscussionBody,
  StartedDiscussion,
} from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { commentsUpdate } from '../../forms.generated/comments.ts'
import { discussionsCommentsCreate, discussionsCreate } from '../../forms.generated/discussions.ts'
import { MemberSelect } from '../../ui/member-select/member-select.tsx'
import type { ControlProps } from '../../ui/schema-form/controls.tsx'
import { ReadFirst } from '../../ui/schema-form/read-first.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { useAllCategories, useComment, useReadAgain } from './queries.ts'

const author = ({ label, value, onChange, description, error }: ControlProps) => (
  <MemberSelect {...{ label, onChange, description, error }} value={String(value ?? '')} />
)

const texts = () => ({
  labels: {
    ...{ author_id: t('In the name of'), category: t('Category'), title: t('Title') },
    content: t('Text'),
  },
  descriptions: { author_id: '', category: '', title: '', content: t('Markdown') },
})

/** What readers see of who has written it. */
const UnderTheirName = () => (
  <p>{t('It stands under the name of this member. The audit log says that you have written it.')}</p>
)

/** Starts a discussion in the name of a member. */
export function NewDiscussion({ onClose }: { readonly onClose: () => void }) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const readAgain = useReadAgain()
  const { data: categories = [] } = useAllCategories()
  const form = useSchemaForm<NewDiscussionBody, StartedDiscussion>({
    operation: discussionsCreate,
    fields: ['author_id', 'category', 'title', 'content'],
    send: (body) => client.discussions.create(body),
    onDone: async ({ id }) => {
      await readAgain()
      await navigate({ to: '/$project/$side/discussions/$id', params: { project, side, id } })
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Start a discussion')}
      verb={t('Start the discussion')}
      {...texts()}
      controls={{
        author_id: author,
        category: { options: categories.map(({ slug, name }) => ({ id: slug, name })) },
      }}
      onClose={onClose}
    >
      <UnderTheirName />
    </SchemaFormDialog>
  )
}

interface NewCommentProps {
  readonly discussion: Discussion
  /** What is answered. */
  readonly parent?: Comment
  readonly onClose: () => void
}

/** Writes a comment, or a reply to one, in the name of a member. */
export function WriteComment({ discussion: { id }, parent, onClose }: NewCommentProps) {
  const { client } = useProject()
  const readAgain = useReadAgain()
  const form = useSchemaForm<NewComment>({
    operation: discussionsCommentsCreate,
    fields: ['author_id', 'content'],
    of: parent?.id ?? id,
    send: (body) =>
      client.discussions.comments.create(id, { ...body, ...(parent && { parent_id: parent.id }) }),
    onDone: async () => {
      await readAgain()
      onClose()
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={parent ? t('Reply to the comment') : t('Write a comment')}
      verb={t('Publish')}
      {...texts()}
      controls={{ author_id: author }}
      onClose={onClose}
    >
      <UnderTheirName />
    </SchemaFormDialog>
  )
}

interface EditProps {
  readonly comment: Pick<Comment, 'id'>
  readonly onClose: () => void
}

/** Changes the words of a comment. Its earlier version is kept. */
export function EditComment({ comment: { id }, onClose }: EditProps) {
  const query = useComment(id)
  const title = t('Edit the comment')
  return (
    <ReadFirst {...{ title, query, onClose }}>
      {(read) => <CommentForm read={read} title={title} onClose={onClose} />}
    </ReadFirst>
  )
}

interface CommentFormProps {
  readonly read: Read<Comment>
  readonly title: string
  readonly onClose: () => void
}

function CommentForm({ read, title, onClose }: CommentFormProps) {
  const { id } = read.value
  const { client } = useProject()
  const { readAgain: readComment } = useComment(id)
  const readAgain = useReadAgain()
  const form = useSchemaForm<CommentChanges>({
    operation: commentsUpdate,
    fields: ['content'],
    read,
    readAgain: readComment,
    of: id,
    send: (body, options) => client.comments.update(id, body, options),
    onDone: async () => {
      await readAgain()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={title}
      verb={t('Save')}
      labels={{ content: t('Text') }}
      descriptions={{ content: t('Markdown. The author’s earlier version is kept.') }}
      onClose={onClose}
    />
  )
}
