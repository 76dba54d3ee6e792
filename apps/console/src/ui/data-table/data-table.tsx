import { Link, type LinkProps } from '@tanstack/react-router'
import type { PointerEvent, ReactNode } from 'react'
import styles from './data-table.module.css'
import { SelectAll, SelectOne } from './select-cells.tsx'
import type { Selection } from './use-selection.ts'

/** A column of a list. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** The name by which the API sorts it; without one the column is not sorted. */
  readonly sort?: string
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean
  /** What is less important goes where the table is narrower than this, in pixels. A card of a telephone has everything. */
  readonly hideBelow?: 700 | 850 | 1000
}

export interface Sorting {
  readonly sort: string | undefined
  readonly order: 'asc' | 'desc'
}

interface Props<Row> {
  /** What it lists, for who cannot see it. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Where a row leads; its first cell is the link. */
  readonly linkOf?: (row: Row) => Pick<LinkProps, 'to' | 'params'>
  readonly sorting?: Sorting
  readonly onSort?: (sorting: Sorting) => void
  /** The rows of another page are shown until the wanted ones are here. */
  readonly isOld?: boolean
  /** Rows can be chosen. See `useSelection`. */
  readonly selection?: Selection<Row> | undefined
}

const hiding = { 700: styles.below700, 850: styles.below850, 1000: styles.below1000 }

const classOf = ({ isNumber, hideBelow }: Pick<Column<never>, 'isNumber' | 'hideBelow'>): string =>
  [isNumber && styles.number, hideBelow && hiding[hideBelow]].filter(Boolean).join(' ')

/** Rows of one kind. It is a table of HTML, so that every reader of screens knows it. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  linkOf,
  sorting,
  onSort,
  isOld = false,
  selection,
}: Props<Row>) {
  const ids = rows.map(keyOf)
  return (
    <div className={styles.frame} tabIndex={-1}>
      <table className={styles.table} aria-label={label} aria-busy={isOld} onPointerOver={sayWhole}>
        <thead>
          <tr>
            {selection && <SelectAll selection={selection} ids={ids} />}
            {columns.map((column) => (
              <HeadCell key={column.title} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-chosen={selection?.chosen.has(keyOf(row))}>
              {selection && <SelectOne {...{ selection, ids, row }} id={keyOf(row)} />}
              {columns.map(({ title, cell, ...column }, i) => (
                <td key={title} className={classOf(column)} data-title={title}>
                  <div className={styles.cell}>
                    {i === 0 && linkOf ? (
                      <Link {...linkOf(row)} className={styles.link}>
                        {cell(row)}
                      </Link>
                    ) : (
                      cell(row)
                    )}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A text that is cut off is said in full where the pointer rests; the screen of its row has it, too. */
function sayWhole({ target }: PointerEvent): void {
  const text = (target as Element).closest<HTMLElement>(`.${styles.cell} > a, .${styles.cell}`)
  if (text === null) return
  if (text.scrollHeight > text.clientHeight + 1) text.title = text.textContent
  else text.removeAttribute('title')
}

interface HeadProps<Row> extends Pick<Props<Row>, 'sorting' | 'onSort'> {
  readonly column: Column<Row>
}

function HeadCell<Row>({ column: { title, sort, ...column }, sorting, onSort }: HeadProps<Row>) {
  const isSorted = sort !== undefined && sorting?.sort === sort
  const direction = sorting?.order === 'asc' ? 'ascending' : 'descending'
  const next = isSorted && sorting?.order === 'asc' ? 'desc' : 'asc'
  return (
    <th scope="col" className={classOf(column)} {...(isSorted && { 'aria-sort': direction })}>
      {sort === undefined || !onSort ? (
        title
      ) : (
        <button type="button" className={styles.sort} onClick={() => onSort({ sort, order: next })}>
          {title}
          <span aria-hidden="true">{isSorted ? (direction === 'ascending' ? ' ↑' : ' ↓') : ''}</span>
        </button>
      )}
    </th>
  )
}
