import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { t } from '../../data/words.ts'
import styles from './order-list.module.css'

interface Props<Item> {
  /** What it lists, for who cannot see it. */
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** What an item is called. */
  readonly nameOf: (item: Item) => string
  /** What is shown of an item beside its handle. */
  readonly children: (item: Item) => ReactNode
  /** Called with the order that is wanted. Without it nothing can be moved. */
  readonly onOrder: ((items: readonly Item[]) => void) | undefined
  /** The key of the item that is open beside the list. */
  readonly open?: string | undefined
  readonly onOpen?: (key: string) => void
}

/**
 * A list whose order matters. Items are dragged by their handles; with the keyboard, Enter on a handle takes its item, the arrows
 * choose its place, and Enter lets it go.
 */
export function OrderList<Item>(props: Props<Item>) {
  const { label, items, keyOf, nameOf, children, onOrder, open, onOpen } = props
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const moved = items.filter((item) => keys.has(keyOf(item)))
      const others = items.filter((item) => !keys.has(keyOf(item)))
      const at = others.findIndex((item) => keyOf(item) === target.key)
      onOrder?.(others.toSpliced(at + (target.dropPosition === 'after' ? 1 : 0), 0, ...moved))
    },
  })
  return (
    <GridList
      // Whether anything may be moved can be known later than the items: with other hooks it is another list.
      key={String(onOrder !== undefined)}
      aria-label={label}
      className={styles.list}
      {...(onOrder && { dragAndDropHooks })}
      {...(onOpen && { onAction: (key) => onOpen(String(key)) })}
    >
      {items.map((item) => (
        <GridListItem
          key={keyOf(item)}
          id={keyOf(item)}
          textValue={nameOf(item)}
          className={styles.item}
          data-open={open === keyOf(item)}
        >
          {onOrder && (
            <Button
              slot="drag"
              className={styles.handle}
              aria-label={t('Move {name}', { name: nameOf(item) })}
            >
              ⠿
            </Button>
          )}
          <div className={styles.content}>{children(item)}</div>
        </GridListItem>
      ))}
    </GridList>
  )
}
