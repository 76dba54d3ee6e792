import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'

/** A column of a list. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** The name by which the API sorts it; without one the column is not sorted. */
  readonly sort?: string
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean
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
}

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
}: Props<Row>) {
  return (
    <div className={styles.frame} tabIndex={-1}>
      <table className={styles.table} aria-label={label} aria-busy={isOld}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.title} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }, i) => (
                <td key={title} className={isNumber ? styles.number : undefined} data-title={title}>
                  {i === 0 && linkOf ? (
                    <Link {...linkOf(row)} className={styles.link}>
                      {cell(row)}
                    </Link>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps<Row> extends Pick<Props<Row>, 'sorting' | 'onSort'> {
  readonly column: Column<Row>
}

function HeadCell<Row>({ column: { title, sort, isNumber }, sorting, onSort }: HeadProps<Row>) {
  const isSorted = sort !== undefined && sorting?.sort === sort
  const direction = sorting?.order === 'asc' ? 'ascending' : 'descending'
  const next = isSorted && sorting?.order === 'asc' ? 'desc' : 'asc'
  return (
    <th
      scope="col"
      className={isNumber ? styles.number : undefined}
      {...(isSorted && { 'aria-sort': direction })}
    >
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
