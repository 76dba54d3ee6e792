import type { ExportData, ListExportsQuery } from '@guildhall/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useList, useProject } from '../../data/list-query.ts'
import { useProjectRow, useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Bytes } from '../../ui/bytes/bytes.tsx'
import { saveFrom } from '../../ui/export-button/save-from.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'

const STATES = ['queued', 'running', 'completed', 'failed', 'expired']
/** What is exported, as the API names it. */
const KINDS = [
  ...['orders', 'bills', 'subscriptions', 'feedback', 'analytics', 'form_submissions', 'member_data'],
]
/** Milliseconds between two looks while an export is made. */
const AGAIN_MS = 2_000

/** The exports that were asked for by anybody, with their files for a day. Viewers see none. */
export function ExportList() {
  const { canChange } = useRights()
  const row = useProjectRow()
  if (row !== undefined && !canChange)
    return (
      <Page title={t('Past exports')}>
        <Empty title={t('Owners and admins of the project see exports')} />
      </Page>
    )
  return <Exports />
}

function Exports() {
  const list = useList('exports', (client, query, signal) =>
    client.exports.list(query as ListExportsQuery, { signal }),
  )
  useLooksAgain(list)
  return (
    <ListScreen
      title={t('Past exports')}
      list={list}
      dates={t('Created')}
      filters={[
        { name: 'kind', label: t('What'), values: KINDS },
        { name: 'status', label: t('Status'), values: STATES },
      ]}
      keyOf={({ id }) => id}
      columns={[
        { title: t('File'), cell: ({ file_name }) => <bdi>{file_name}</bdi> },
        { title: t('Status'), cell: (each) => <StateOf each={each} /> },
        { title: t('Rows'), cell: (each) => rowsOf(each), isNumber: true, hideBelow: 850 },
        {
          title: t('Size'),
          cell: ({ size }) => (size === null ? '–' : <Bytes bytes={size} />),
          isNumber: true,
          hideBelow: 1000,
        },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
        {
          title: t('File until'),
          cell: ({ status, expires_at }) =>
            status === 'completed' && expires_at !== null ? <Time at={expires_at} /> : '–',
          hideBelow: 1000,
        },
        {
          title: t('Actions'),
          cell: (each) => each.status === 'completed' && <Download of={each} />,
        },
      ]}
      empty={
        <Empty title={t('Nothing was exported in the last month')}>
          {t(
            'The button “Export” of orders, bills, subscriptions, feedback, analytics and forms makes a file.',
          )}
        </Empty>
      }
    />
  )
}

interface Looked {
  readonly data: { readonly data: readonly ExportData[] } | undefined
  readonly refetch: () => unknown
}

/** Reads the list again while something in it is not ready. */
function useLooksAgain({ data, refetch }: Looked): void {
  const isWaiting = data?.data.some(({ status }) => status === 'queued' || status === 'running') ?? false
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(refetch, AGAIN_MS)
    return () => clearInterval(timer)
  }, [isWaiting, refetch])
}

/** How far it is, or why it failed. */
function StateOf({ each: { status, error } }: { readonly each: ExportData }) {
  return (
    <>
      <Badge state={status} /> {error && t(error)}
    </>
  )
}

const rowsOf = ({ rows, total_rows: all, status }: ExportData): string =>
  status === 'running' && all !== null
    ? t('{rows} of {all}', { rows, all })
    : rows.toLocaleString(spokenLanguage())

/** The address of a file works for an hour, so it is asked for when it is wanted. */
function Download({ of: { id, file_name } }: { readonly of: ExportData }) {
  const { client } = useProject()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { url } = await client.exports.get(id)
      if (url === null) throw new Error(t('The file is gone. Export it again.'))
      saveFrom(url, file_name)
    },
  })
  return (
    <>
      <Button
        label={t('Download {name}', { name: file_name })}
        isPending={isPending}
        onPress={() => mutate()}
      >
        {t('Download')}
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  )
}
