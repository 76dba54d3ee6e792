import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Fetched, ListSearch } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { type Column, DataTable } from '../data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../notice/notice.tsx'
import { Page } from '../page/page.tsx'
import { Pagination } from '../pagination/pagination.tsx'
import { SearchField } from '../search-field/search-field.tsx'
import { Select } from '../select/select.tsx'
import styles from './list-screen.module.css'

/** A filter of a list: one of some values, or all. */
export interface Filter {
  /** As the API names it. */
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
}

interface Listed<Row> {
  readonly data: Fetched<Row> | undefined
  readonly error: Error | null
  readonly isPlaceholderData: boolean
  readonly search: ListSearch
  readonly refetch: () => void
  readonly change: (changes: Partial<ListSearch>) => void
}

interface Props<Row> {
  readonly title: string
  readonly actions?: ReactNode
  readonly list: Listed<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly linkOf?: (row: Row) => Pick<LinkProps, 'to' | 'params'>
  /** What is searched, such as "Search members"; without it the list has no search. */
  readonly searchLabel?: string
  readonly filters?: readonly Filter[]
  /** What to say and to do where nothing has been made yet. */
  readonly empty: ReactNode
}

const ALL = 'all'

/** A screen that lists things of one kind: search, filters, order and pages are in its address. */
export function ListScreen<Row>({
  title,
  actions,
  list,
  columns,
  keyOf,
  linkOf,
  searchLabel,
  filters = [],
  empty,
}: Props<Row>) {
  const { data, error, search, change } = list
  const { page = 1, sort, order = 'desc' } = search
  const isFiltered = search.search !== undefined || filters.some(({ name }) => search[name] !== undefined)
  return (
    <Page title={title} actions={actions}>
      {(searchLabel !== undefined || filters.length > 0) && (
        <search className={styles.tools}>
          {searchLabel !== undefined && (
            <SearchField
              label={searchLabel}
              value={search.search ?? ''}
              onSearch={(text) => change({ search: text })}
            />
          )}
          {filters.map(({ name, label, values }) => (
            <Select
              key={name}
              label={label}
              options={[
                { id: ALL, name: t('{label}: all', { label }) },
                ...values.map((id) => ({ id, name: t(id.replaceAll('_', ' ')) })),
              ]}
              value={String(search[name] ?? ALL)}
              onChange={(value) =>
                change({ [name]: value === ALL ? undefined : value } as Partial<ListSearch>)
              }
            />
          ))}
        </search>
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
        />
      )}
      {data !== undefined && (data.data.length > 0 || page > 1) && (
        <Pagination
          page={page}
          hasNext={data.next_cursor !== null}
          total={data.pagination?.total}
          onPage={(wanted) => change({ page: wanted })}
        />
      )}
    </Page>
  )
}
