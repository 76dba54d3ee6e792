import type { DiscussionCategory } from '@guildhall/sdk'
import { useState } from 'react'
import { usePlans } from '../../data/plan-names.ts'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { DeleteCategory, EditCategory, NewCategory } from './category-dialogs.tsx'
import { useCategories } from './queries.ts'
import { DiscussionViews } from './views.tsx'

type Open =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'edit' | 'delete'; readonly of: DiscussionCategory }

export function CategoryList() {
  const list = useCategories()
  const { canChange } = useRights()
  const { data: plans = [] } = usePlans()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const namesOf = (ids: readonly string[]) =>
    ids.map((id) => plans.find((plan) => plan.id === id)?.name ?? id).join(', ')
  return (
    <>
      <ListScreen
        title={t('Categories of discussions')}
        views={<DiscussionViews />}
        actions={
          canChange && (
            <Button kind="primary" onPress={() => setOpen({ dialog: 'create' })}>
              {t('Create a category')}
            </Button>
          )
        }
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ name }) => <bdi>{name}</bdi> },
          { title: t('Slug'), cell: ({ slug }) => <code>{slug}</code> },
          {
            title: t('Who may enter'),
            cell: ({ required_plans }) =>
              required_plans.length === 0
                ? t('Everybody')
                : t('Plans: {names}', { names: namesOf(required_plans) }),
          },
          {
            title: t('First posts'),
            cell: ({ moderated }) => (moderated ? t('Wait for a moderator') : t('Are shown at once')),
          },
          {
            title: t('Discussions'),
            cell: ({ discussion_count }) => discussion_count.toLocaleString(spokenLanguage()),
            isNumber: true,
          },
          { title: t('Position'), cell: ({ position }) => String(position), isNumber: true },
          ...(canChange ? [actions(setOpen)] : []),
        ]}
        empty={
          <Empty title={t('There are no categories yet')}>
            {t('Discussions are in categories. A category can be for some plans alone.')}
          </Empty>
        }
      />
      {open?.dialog === 'create' && <NewCategory onClose={close} />}
      {open?.dialog === 'edit' && <EditCategory of={open.of} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteCategory of={open.of} onClose={close} />}
    </>
  )
}

const actions = (onOpen: (open: Open) => void): Column<DiscussionCategory> => ({
  title: t('Actions'),
  cell: (of) => (
    <Buttons>
      <Button label={t('Edit {name}', { name: of.name })} onPress={() => onOpen({ dialog: 'edit', of })}>
        {t('Edit')}
      </Button>
      <Button label={t('Delete {name}', { name: of.name })} onPress={() => onOpen({ dialog: 'delete', of })}>
        {t('Delete')}
      </Button>
    </Buttons>
  ),
})
