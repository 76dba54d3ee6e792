import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readListSearch, useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { OrderList } from '../../ui/order-list/order-list.tsx'
import { Page } from '../../ui/page/page.tsx'
import { DeleteCategory, EditCategory, NewCategory } from './category-dialogs.tsx'
import styles from './help.module.css'
import { type PlacedCategory, useCategories } from './queries.ts'
import { HelpViews } from './views.tsx'

/** The distance of positions, so that a category finds room between two others. */
const STEP = 10

type Open = { readonly dialog: 'new' } | { readonly dialog: 'edit' | 'delete'; readonly of: PlacedCategory }

/** The categories of one level, in their order; those within a category are one screen further. */
export function CategoryScreen() {
  const { data: all, error, refetch } = useCategories()
  const { canChange } = useRights()
  const { parent_id } = readListSearch(useSearch({ strict: false }))
  const parent = parent_id === undefined ? null : String(parent_id)
  const [open, setOpen] = useState<Open>()
  const reorder = useReorder()
  const create = canChange && (
    <Button kind="primary" onPress={() => setOpen({ dialog: 'new' })}>
      {t('Create a category')}
    </Button>
  )
  const shown = all?.filter((each) => each.parent_id === parent) ?? []
  return (
    <Page title={t('Categories of the help center')} actions={create}>
      <HelpViews />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {reorder.error && <ErrorNotice error={reorder.error} />}
      {all === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {all && parent !== null && <Path all={all} id={parent} />}
      {all && shown.length === 0 && (
        <Empty title={t('There are no categories here yet')}>
          {t('Readers find articles by their category.')}
        </Empty>
      )}
      {all && (
        <OrderList<PlacedCategory>
          label={t('Categories')}
          items={shown}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          onOrder={canChange ? (wanted) => reorder.mutate(wanted) : undefined}
        >
          {(category) => (
            <Category
              category={category}
              within={all.filter((each) => each.parent_id === category.id).length}
              onOpen={(dialog) => setOpen({ dialog, of: category })}
            />
          )}
        </OrderList>
      )}
      {open?.dialog === 'new' && (
        <NewCategory parent={parent} all={all ?? []} onClose={() => setOpen(undefined)} />
      )}
      {open?.dialog === 'edit' && (
        <EditCategory of={open.of} all={all ?? []} onClose={() => setOpen(undefined)} />
      )}
      {open?.dialog === 'delete' && <DeleteCategory of={open.of} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

/** Stores an order: only the places that differ are sent. It is shown at once, and as it was where that fails. */
function useReorder() {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const key = [project, side, 'help', 'categories']
  return useMutation({
    mutationFn: async (wanted: readonly PlacedCategory[]) => {
      for (const [i, { id, position }] of wanted.entries()) {
        const place = (i + 1) * STEP
        if (position !== place) await client.help.categories.update(id, { position: place })
      }
    },
    onMutate: (wanted) =>
      queries.setQueryData<readonly PlacedCategory[]>(key, (all = []) => [
        ...all.filter(({ id }) => !wanted.some((each) => each.id === id)),
        ...wanted,
      ]),
    onSettled: () => queries.invalidateQueries({ queryKey: [project, side, 'help'] }),
  })
}

interface CategoryProps {
  readonly category: PlacedCategory
  /** How many categories are in it. */
  readonly within: number
  readonly onOpen: (dialog: 'edit' | 'delete') => void
}

function Category({ category: { id, name, article_count }, within, onOpen }: CategoryProps) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { canChange } = useRights()
  return (
    <div className={styles.category}>
      <span className={styles.name}>
        <Link
          to="/$project/$side/help"
          params={{ project, side }}
          search={readListSearch({ category_id: id }) as never}
        >
          <bdi>{name}</bdi>
        </Link>
        <span className={styles.soft}>
          {t('{articles} published {articles:article|articles}', { articles: article_count })}
        </span>
      </span>
      <span className={styles.acts}>
        <Link
          to="/$project/$side/help/categories"
          params={{ project, side }}
          search={readListSearch({ parent_id: id }) as never}
        >
          {t('Categories within: {count}', { count: within })}
        </Link>
        {canChange && (
          <>
            <Button label={t('Edit {name}', { name })} onPress={() => onOpen('edit')}>
              {t('Edit')}
            </Button>
            <Button label={t('Delete {name}', { name })} onPress={() => onOpen('delete')}>
              {t('Delete')}
            </Button>
          </>
        )}
      </span>
    </div>
  )
}

interface PathProps {
  readonly all: readonly PlacedCategory[]
  readonly id: string
}

/** Where a level is, from the top down. */
function Path({ all, id }: PathProps) {
  const { project = '', side = '' } = useParams({ strict: false })
  const steps: PlacedCategory[] = []
  for (let at = all.find((each) => each.id === id); at; at = all.find((each) => each.id === at?.parent_id))
    steps.unshift(at)
  return (
    <nav aria-label={t('Where this is')} className={styles.path}>
      <Link to="/$project/$side/help/categories" params={{ project, side }} search={{} as never}>
        {t('All categories')}
      </Link>
      {steps.map(({ id: step, name }) => (
        <span key={step}>
          / <bdi>{name}</bdi>
        </span>
      ))}
    </nav>
  )
}
