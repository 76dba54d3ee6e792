import type { KeyboardEvent, MouseEvent } from 'react'
import { useRef } from 'react'
import { t } from '../../data/words.ts'
import styles from './data-table.module.css'
import type { Selection } from './use-selection.ts'

interface AllProps<Row> {
  readonly selection: Selection<Row>
  /** Of the rows that are shown. */
  readonly ids: readonly string[]
}

/** Chooses all rows that are shown. */
export function SelectAll<Row>({ selection: { chosen, choose }, ids }: AllProps<Row>) {
  const count = ids.filter((id) => chosen.has(id)).length
  const isAll = count === ids.length && count > 0
  return (
    <th scope="col" className={styles.select}>
      <input
        type="checkbox"
        aria-label={t('Choose all rows of this page')}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll
        }}
        onChange={() => choose(ids, !isAll)}
      />
    </th>
  )
}

interface OneProps<Row> extends AllProps<Row> {
  readonly id: string
  readonly row: Row
}

/** Chooses a row. With Shift, also those between it and the one before; the arrows go from row to row. */
export function SelectOne<Row>({ selection, ids, id, row }: OneProps<Row>) {
  const { chosen, choose, nameOf } = selection
  const box = useRef<HTMLInputElement>(null)
  const isShift = useRef(false)
  const toggle = () => {
    const isChosen = !chosen.has(id)
    const last = ids.indexOf(box.current?.closest('table')?.dataset['last'] ?? '')
    const here = ids.indexOf(id)
    const range =
      isShift.current && last >= 0 ? ids.slice(Math.min(last, here), Math.max(last, here) + 1) : [id]
    choose(range, isChosen)
    const table = box.current?.closest('table')
    if (table) table.dataset['last'] = id
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const boxes = [
      ...(box.current?.closest('tbody')?.querySelectorAll<HTMLInputElement>('[data-select]') ?? []),
    ]
    const next = boxes[boxes.indexOf(box.current as HTMLInputElement) + step]
    next?.focus()
    const nextId = ids[ids.indexOf(id) + step]
    if (event.shiftKey && nextId !== undefined) choose([id, nextId], true)
  }
  return (
    <td className={styles.select}>
      <input
        ref={box}
        type="checkbox"
        data-select
        aria-label={t('Choose {name}', { name: nameOf(row) })}
        checked={chosen.has(id)}
        onClick={({ shiftKey }: MouseEvent) => {
          isShift.current = shiftKey
        }}
        onChange={toggle}
        onKeyDown={onKeyDown}
      />
    </td>
  )
}
