import type { FeedbackItem } from '@guildhall/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { isTextDropItem, useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t, wordOf } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { titleOf } from './list.tsx'
import { PublicRoadmap } from './public-roadmap.tsx'
import { type Column, type SetStatus, TYPES, useBoard } from './queries.ts'
import styles from './roadmap.module.css'
import { SetItemStatus } from './set-status.tsx'
import { FeedbackViews } from './views.tsx'

/** What is dragged: the id of an item. */
const CARD = 'application/x-guildhall-feedback'
const ALL = 'all'

interface Move {
  readonly item: FeedbackItem
  readonly to: SetStatus
}

/** The items by status. A card is moved by the mouse, by touch and by the keyboard; before it is, the voters who are told are counted. */
export function Roadmap() {
  const [type, setType] = useState<string>(ALL)
  const [isPublic, setPublic] = useState(false)
  const [move, setMove] = useState<Move>()
  const { data: columns, error, refetch } = useBoard(type === ALL ? undefined : type)
  const { canChange } = useRights()
  const drop = (id: string, to: SetStatus) => {
    const item = columns?.flatMap(({ items }) => items).find((each) => each.id === id)
    if (item !== undefined && item.status !== to) setMove({ item, to })
  }
  return (
    <Page title={t('Roadmap')} views={<FeedbackViews />}>
      <div className={styles.tools}>
        <Select
          label={t('Type')}
          options={[
            { id: ALL, name: t('{label}: all', { label: t('Type') }) },
            ...TYPES.map((id) => ({ id, name: wordOf(id) })),
          ]}
          value={type}
          onChange={setType}
        />
        <Button onPress={() => setPublic(!isPublic)}>
          {isPublic ? t('Show the board') : t('Show what visitors see')}
        </Button>
      </div>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {isPublic ? (
        <PublicRoadmap />
      ) : (
        <>
          {columns === undefined && !error && <p role="status">{t('Loading …')}</p>}
          {canChange && (
            <p className={styles.hint}>
              {t(
                'Drag a card to another column. With the keyboard: Enter on the handle, Tab to a column, Enter again.',
              )}
            </p>
          )}
          <div className={styles.board}>
            {columns?.map((column) => (
              <BoardColumn key={column.status} column={column} canChange={canChange} onDrop={drop} />
            ))}
          </div>
        </>
      )}
      {move && <SetItemStatus item={move.item} to={move.to} onClose={() => setMove(undefined)} />}
    </Page>
  )
}

interface ColumnProps {
  readonly column: Column
  readonly canChange: boolean
  readonly onDrop: (id: string, to: SetStatus) => void
}

function BoardColumn({ column: { status, items, total }, canChange, onDrop }: ColumnProps) {
  const { project, side } = useProject()
  const name = wordOf(status)
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !canChange,
    getItems: (keys) => [...keys].map((key) => ({ [CARD]: String(key), 'text/plain': String(key) })),
    acceptedDragTypes: [CARD],
    getDropOperation: () => 'move',
    onRootDrop: async ({ items: dropped }) => {
      for (const each of dropped) if (isTextDropItem(each)) onDrop(await each.getText(CARD), status)
    },
  })
  return (
    <section className={styles.column} aria-label={name}>
      <h2 className={styles.name}>
        {name} <span className={styles.count}>{total.toLocaleString(spokenLanguage())}</span>
      </h2>
      <GridList
        aria-label={t('Items: {status}', { status: name })}
        items={items}
        dragAndDropHooks={dragAndDropHooks}
        className={styles.cards ?? ''}
        renderEmptyState={() => <p className={styles.none}>{t('None')}</p>}
      >
        {(item) => (
          <GridListItem id={item.id} textValue={titleOf(item)} className={styles.card ?? ''}>
            {canChange && (
              <AriaButton
                slot="drag"
                aria-label={t('Move {title}', { title: titleOf(item) })}
                className={styles.handle ?? ''}
              >
                ⠿
              </AriaButton>
            )}
            <div className={styles.body}>
              <Link to="/$project/$side/feedback/$id" params={{ project, side, id: item.id }}>
                <bdi>{titleOf(item)}</bdi>
              </Link>
              <p className={styles.meta}>
                {t('{count} {count:vote|votes}', { count: item.vote_count })} <Badge state={item.type} />
                {item.visibility === 'private' && <Badge state="private" />}
              </p>
            </div>
          </GridListItem>
        )}
      </GridList>
      {total > items.length && (
        <p className={styles.meta}>
          <Link
            to="/$project/$side/feedback"
            params={{ project, side }}
            search={{ status, sort: 'top' } as never}
          >
            {t('The first {count} of {total}', { count: items.length, total: total })}
          </Link>
        </p>
      )}
    </section>
  )
}
