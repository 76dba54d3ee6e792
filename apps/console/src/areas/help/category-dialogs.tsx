import type { HelpCategoryChanges, HelpCategoryPage, NewHelpCategory } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { helpCategoriesCreate, helpCategoriesUpdate } from '../../forms.generated/help.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import type { FieldTexts } from '../../ui/schema-form/field.tsx'
import { ReadFirst } from '../../ui/schema-form/read-first.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { type PlacedCategory, useCategory } from './queries.ts'

const FIELDS = ['name', 'slug', 'description', 'icon', 'parent_id']

/** @param all the categories that one can be within */
const texts = (all: readonly PlacedCategory[]): FieldTexts => ({
  labels: {
    ...{ name: t('Name'), slug: t('Slug'), description: t('Description'), icon: t('Picture') },
    parent_id: t('Within'),
  },
  descriptions: {
    ...{ name: '', description: '', parent_id: '' },
    slug: t('Lower-case words with hyphens. Empty: made from the name'),
    icon: t('A name or an address; your pages decide how they show it'),
  },
  controls: { parent_id: { options: all.map(({ id, name }) => ({ id, name })) } },
})

interface NewProps {
  /** Where it is. */
  readonly parent: string | null
  readonly all: readonly PlacedCategory[]
  readonly onClose: () => void
}

export function NewCategory({ parent, all, onClose }: NewProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const form = useSchemaForm<NewHelpCategory>({
    operation: helpCategoriesCreate,
    fields: FIELDS,
    initial: { parent_id: parent },
    of: String(parent),
    // At the end of its level.
    send: (body) => client.help.categories.create({ ...body, position: nextOf(all, parent) }),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'help'] })
      onClose()
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Create a category')}
      verb={t('Create')}
      onClose={onClose}
      {...texts(all)}
    />
  )
}

interface EditProps {
  readonly of: PlacedCategory
  readonly all: readonly PlacedCategory[]
  readonly onClose: () => void
}

export function EditCategory({ of: { id, name }, all, onClose }: EditProps) {
  const query = useCategory(id)
  const title = t('Edit {name}', { name })
  return (
    <ReadFirst {...{ title, query, onClose }}>
      {(read) => <CategoryForm {...{ read, title, all, onClose }} />}
    </ReadFirst>
  )
}

interface FormProps extends Pick<EditProps, 'all' | 'onClose'> {
  readonly read: Read<HelpCategoryPage>
  readonly title: string
}

function CategoryForm({ read, title, all, onClose }: FormProps) {
  const { id } = read.value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { readAgain } = useCategory(id)
  const form = useSchemaForm<HelpCategoryChanges>({
    operation: helpCategoriesUpdate,
    fields: FIELDS,
    read,
    readAgain,
    of: id,
    send: (body, options) => client.help.categories.update(id, body, options),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'help'] })
      onClose()
    },
    onUnchanged: onClose,
  })
  const others = all.filter((each) => each.id !== id)
  return <SchemaFormDialog form={form} title={title} verb={t('Save')} onClose={onClose} {...texts(others)} />
}

const nextOf = (all: readonly PlacedCategory[], parent: string | null): number =>
  Math.max(0, ...all.filter(({ parent_id }) => parent_id === parent).map(({ position }) => position)) + 10

interface DeleteProps {
  readonly of: PlacedCategory
  readonly onClose: () => void
}

export function DeleteCategory({ of: { id, name }, onClose }: DeleteProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return (
    <Confirm
      title={t('Delete the category “{name}”?', { name })}
      verb={t('Delete')}
      act={() => client.help.categories.delete(id)}
      onDone={() => queries.invalidateQueries({ queryKey: [project, side, 'help'] })}
      onClose={onClose}
    >
      {t('Only an empty category can be deleted: move its articles and categories first.')}
    </Confirm>
  )
}
