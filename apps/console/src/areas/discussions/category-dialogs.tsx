import type { DiscussionCategory, DiscussionCategoryChanges, NewDiscussionCategory } from '@guildhall/sdk'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import {
  discussionCategoriesCreate,
  discussionCategoriesUpdate,
} from '../../forms.generated/discussionCategories.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { planControl } from '../../ui/plan-choice/plan-choice.tsx'
import type { FieldTexts } from '../../ui/schema-form/field.tsx'
import { ReadFirst } from '../../ui/schema-form/read-first.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { useAct, useCategory, useReadAgain } from './queries.ts'

const texts = (): FieldTexts => ({
  labels: {
    ...{ name: t('Name'), slug: t('Slug'), description: t('Description'), position: t('Position') },
    required_plans: t('Plans that may enter'),
    moderated: t('The first post of a member waits for a moderator'),
  },
  descriptions: {
    ...{ name: '', description: '', moderated: '' },
    slug: t('Lower-case words joined by hyphens, for addresses. Without one it is made of the name'),
    position: t('Smaller numbers come first'),
    required_plans: t('One is enough. None chosen: everybody may read and write.'),
  },
  controls: { required_plans: planControl },
})

interface NewProps {
  readonly onClose: () => void
}

export function NewCategory({ onClose }: NewProps) {
  const { client } = useProject()
  const readAgain = useReadAgain()
  const form = useSchemaForm<NewDiscussionCategory>({
    operation: discussionCategoriesCreate,
    send: (body) => client.discussionCategories.create(body),
    onDone: async () => {
      await readAgain()
      onClose()
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Create a category')}
      verb={t('Create')}
      onClose={onClose}
      {...texts()}
    />
  )
}

interface OneProps {
  readonly of: DiscussionCategory
  readonly onClose: () => void
}

/** Changes a category, and says who can enter it. */
export function EditCategory({ of: { id, name }, onClose }: OneProps) {
  const query = useCategory(id)
  const title = t('Edit {name}', { name })
  return (
    <ReadFirst {...{ title, query, onClose }}>
      {(read) => <CategoryForm {...{ read, title, onClose }} />}
    </ReadFirst>
  )
}

interface FormProps {
  readonly read: Read<DiscussionCategory>
  readonly title: string
  readonly onClose: () => void
}

function CategoryForm({ read, title, onClose }: FormProps) {
  const { id, discussion_count: count } = read.value
  const { client } = useProject()
  const { readAgain: readCategory } = useCategory(id)
  const readAgain = useReadAgain()
  const form = useSchemaForm<DiscussionCategoryChanges>({
    operation: discussionCategoriesUpdate,
    read,
    readAgain: readCategory,
    of: id,
    send: (body, options) => client.discussionCategories.update(id, body, options),
    onDone: async () => {
      await readAgain()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog form={form} title={title} verb={t('Save')} onClose={onClose} {...texts()}>
      {count > 0 && 'required_plans' in form.body && (
        <p role="status">
          {t('This changes who sees {count} {count:discussion|discussions}, at once.', { count })}
        </p>
      )}
    </SchemaFormDialog>
  )
}

/** A category that has discussions is not deleted: they are moved first. */
export function DeleteCategory({ of, onClose }: OneProps) {
  const { client } = useProject()
  const { mutate, isPending, error } = useAct(() => client.discussionCategories.delete(of.id), onClose)
  return (
    <FormDialog
      title={t('Delete “{name}”?', { name: of.name })}
      verb={t('Delete')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {of.discussion_count > 0
          ? t(
              'It has {count} {count:discussion. Move or remove it|discussions. Move or remove them} first.',
              {
                count: of.discussion_count,
              },
            )
          : t('It has no visible discussions.')}
      </p>
    </FormDialog>
  )
}
