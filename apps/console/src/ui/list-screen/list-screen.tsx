import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Fetched, ListSearch } from '../../data/list-query.ts'
import { t, wordOf } from '../../data/words.ts'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { type Column, DataTable } from '../data-table/data-table.tsx'
import type { Selection } from '../data-table/use-selection.ts'
import { DateRange } from '../date-range/date-range.tsx'
import { Empty, ErrorNotice } from '../notice/notice.tsx'
import { Page } from '../page/page.tsx'
import { Pagination } from '../pagination/pagination.tsx'
import { SearchField } from '../search-field/search-field.tsx'
import { Select } from '../select/select.tsx'
import styles from './list-screen.module.css'

/** A filter of a list. Without values it is a text, else one of them, or all. */
export interface Filter {
  /** As the API names it. */
  readonly name: string
  readonly label: string
  readonly values?: readonly string[]
  /** What a value is called, where it is not the word itself. */
  readonly titleOf?: (value: string) => string
  /** What the choice of no value is called. */
  readonly allTitle?: string
}

interface Listed<Row> {
  readonly data: Fetched<Row> | undefined
  readonly error: Error | null
  readonly isPlaceholderData: boolean
  readonly search: ListSearch
  readonly refetch: () => void
  readonly change: (changes: Partial<ListSearch>) => void
  /** By what its calls are remembered, which are shown as code. */
  readonly code?: string
  /** Gets a page before it is asked for. */
  readonly prefetch?: (page: number) => unknown
}

interface ListProps<Row> {
  readonly title: string
  readonly list: Listed<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly linkOf?: (row: Row) => Pick<LinkProps, 'to' | 'params'>
  /** What is searched, such as "Search members"; without it the list has no search. */
  readonly searchLabel?: string
  readonly filters?: readonly Filter[]
  /** What the days of `start_date` and `end_date` are of, such as "Created"; without it the list has no days. */
  readonly dates?: string
  /** What to say and to do where nothing has been made yet. */
  readonly empty: ReactNode
  /** Rows can be chosen. See `useSelection`. */
  readonly selection?: Selection<Row> | undefined
  /** What can be done with chosen rows: buttons, and the dialogs that they open. */
  readonly bulkActs?: ReactNode
  /** False: the list has cursors alone, and its screen leads to older rows. */
  readonly hasPages?: boolean
}

interface Props<Row> extends ListProps<Row> {
  readonly actions?: ReactNode
  /** Leads to screens that belong together: see `Views`. */
  readonly views?: ReactNode
}

/** A screen that lists things of one kind: search, filters, order and pages are in its address. */
export function ListScreen<Row>({ actions, views, ...list }: Props<Row>) {
  return (
    <Page title={list.title} actions={actions} views={views} code={list.list.code}>
      <List {...list} />
    </Page>
  )
}

/** The list itself, as a part of a screen. */
export function List<Row>({
  title,
  list,
  columns,
  keyOf,
  linkOf,
  searchLabel,
  filters = [],
  dates,
  empty,
  selection,
  bulkActs,
  hasPages = true,
}: ListProps<Row>) {
  const { data, error, search, change } = list
  const { page = 1, sort, order = 'desc' } = search
  const names = ['search', 'start_date', 'end_date', ...filters.map(({ name }) => name)]
  const isFiltered = names.some((name) => search[name] !== undefined)
  const tools: readonly Filter[] = [
    ...(searchLabel === undefined ? [] : [{ name: 'search', label: searchLabel }]),
    ...filters,
  ]
  return (
    <>
      {(tools.length > 0 || dates !== undefined) && (
        <Tools tools={tools} search={search} change={change} dates={dates} />
      )}
      {error && <ErrorNotice error={error} onRetry={list.refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data !== undefined &&
        data.data.length === 0 &&
        (isFiltered ? (
          <Empty title={t('Nothing matches')} />
        ) : page === 1 ? (
          empty
        ) : (
          <Empty title={t('This page is empty')} />
        ))}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={title}
          columns={columns}
          rows={data.data}
          keyOf={keyOf}
          {...(linkOf && { linkOf })}
          sorting={{ sort, order }}
          onSort={(sorting) => change({ ...sorting })}
          isOld={list.isPlaceholderData}
          selection={selection}
        />
      )}
      {selection && (
        <BulkBar selection={selection} total={data?.pagination?.total}>
          {bulkActs}
        </BulkBar>
      )}
      {hasPages && data !== undefined && (data.data.length > 0 || page > 1) && (
        <Pagination
          page={page}
          hasNext={data.next_cursor !== null}
          total={data.pagination?.total}
          onPage={(wanted) => change({ page: wanted })}
          {...(list.prefetch && { onIntent: list.prefetch })}
        />
      )}
    </>
  )
}

const ALL = 'all'

interface ToolsProps extends Pick<Listed<never>, 'search' | 'change'> {
  readonly tools: readonly Filter[]
  readonly dates: string | undefined
}

/** What chooses rows. */
function Tools({ tools, search, change, dates }: ToolsProps) {
  const set = (name: string, value: string | undefined) => change({ [name]: value } as Partial<ListSearch>)
  return (
    <search className={styles.tools}>
      {tools.map(({ name, label, values, titleOf = wordOf, allTitle }) =>
        values === undefined ? (
          <SearchField
            key={name}
            label={label}
            value={String(search[name] ?? '')}
            onSearch={(text) => set(name, text)}
          />
        ) : (
          <Select
            key={name}
            label={label}
            options={[
              { id: ALL, name: allTitle ?? t('{label}: all', { label }) },
              ...values.map((id) => ({ id, name: titleOf(id) })),
            ]}
            value={String(search[name] ?? ALL)}
            onChange={(value) => set(name, value === ALL ? undefined : value)}
          />
        ),
      )}
      {dates !== undefined && (
        <DateRange
          label={dates}
          start={textOf(search['start_date'])}
          end={textOf(search['end_date'])}
          onChange={({ start, end }) =>
            change({ start_date: start, end_date: end } as unknown as Partial<ListSearch>)
          }
        />
      )}
    </search>
  )
}

const textOf = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value)
