import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'

/** GET /console/api/projects/{id}/exports */
interface ProjectExport {
  readonly id: string
  readonly state: 'queued' | 'running' | 'done' | 'failed'
  readonly asked_at: string
  readonly error: string | null
  readonly report: { readonly rows: number; readonly files: number; readonly bytes: number } | null
  readonly url: string | null
}

/** While one is made, the list is read again so often. */
const POLL_MS = 2_000

/** Exports of the whole project, which administrators of the installation make. */
export function ProjectExports() {
  const { project } = useProject()
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [project, 'exports of the project'],
    queryFn: async ({ signal }) =>
      (
        await callConsole<{ data: readonly ProjectExport[] }>('GET', `/projects/${project}/exports`, {
          signal,
        })
      ).data,
    refetchInterval: ({ state }) =>
      state.data?.some((each) => each.state === 'queued' || each.state === 'running') ? POLL_MS : false,
  })
  return (
    <>
      <p>{t('An archive of both sides with all rows and files, for another installation or to keep.')}</p>
      <div>
        <Button onPress={() => setAsking(true)}>{t('Export the project')}</Button>
      </div>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={t('Exports of the project')}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Time'), cell: ({ asked_at }) => <Time at={asked_at} /> },
            {
              title: t('Status'),
              cell: ({ state, error: why }) => (why === null ? <Badge state={state} /> : why),
            },
            {
              title: t('Rows'),
              cell: ({ report }) => report?.rows.toLocaleString(spokenLanguage()) ?? '',
              isNumber: true,
            },
            {
              title: t('Files'),
              cell: ({ report }) => (report ? bytesInWords(report.bytes) : ''),
              isNumber: true,
            },
            {
              title: t('Archive'),
              cell: ({ url }) => (url === null ? '' : <a href={url}>{t('Download')}</a>),
            },
          ]}
        />
      )}
      {isAsking && <AskForExport project={project} onClose={() => setAsking(false)} />}
    </>
  )
}

function AskForExport({ project, onClose }: { readonly project: string; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [passphrase, setPassphrase] = useState('')
  return (
    <Confirm
      title={t('Export the project')}
      verb={t('Export')}
      isDanger={false}
      act={() => callConsole('POST', `/projects/${project}/export`, { body: { passphrase } })}
      onDone={() => queries.invalidateQueries({ queryKey: [project, 'exports of the project'] })}
      onClose={onClose}
    >
      <p>{t('The project goes on meanwhile. The archive is kept for 7 days.')}</p>
      <TextField
        {...{ name: 'passphrase', type: 'password', autoComplete: 'new-password', isRequired: true }}
        label={t('Passphrase')}
        description={t(
          'At least 12 characters. Secrets are sealed with it in the archive: nobody can import it without the passphrase.',
        )}
        value={passphrase}
        onChange={setPassphrase}
      />
    </Confirm>
  )
}
