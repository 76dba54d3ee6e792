import { useQueryClient } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { readWithEtag } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { helpCategoriesCreate, helpCategoriesUpdate } from '../../forms.generated/help.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import type { PlacedCategory } from './queries.ts'

interface EditProps {
  /** The category that changes; undefined for a new one. */
  readonly of: PlacedCategory | undefined
  /** Where a new one is. */
  readonly parent: string | null
  readonly all: readonly PlacedCategory[]
  readonly onClose: () => void
}

const FIELDS = ['name', 'slug', 'description', 'icon', 'parent_id']

export function EditCategory({ of, parent, all, onClose }: EditProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const readAgain = () => readWithEtag((options) => client.help.categories.get(of?.id ?? '', options))
  const form = useSchemaForm({
    operation: of ? helpCategoriesUpdate : helpCategoriesCreate,
    fields: FIELDS,
    ...(of && { read: { value: of }, readAgain }),
    initial: { parent_id: parent },
    of: of?.id ?? String(parent),
    send: (body, options) =>
      of
        ? client.help.categories.update(of.id, body, options)
        : // At the end of its level.
          client.help.categories.create({ ...(body as { name: string }), position: nextOf(all, parent) }),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'help'] })
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={of ? t('Edit {name}', { name: of.name }) : t('Create a category')}
      verb={of ? t('Save') : t('Create')}
      labels={{
        name: t('Name'),
        slug: t('Slug'),
        description: t('Description'),
        icon: t('Picture'),
        parent_id: t('Within'),
      }}
      descriptions={{
        name: '',
        description: '',
        slug: t('Lower-case words with hyphens. Empty: made from the name'),
        icon: t('A name or an address; your pages decide how they show it'),
        parent_id: '',
      }}
      controls={{
        parent_id: {
          options: all.filter(({ id }) => id !== of?.id).map(({ id, name }) => ({ id, name })),
        },
      }}
      onClose={onClose}
    />
  )
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
