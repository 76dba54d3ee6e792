import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { callConsole } from '../../data/console-api.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Section } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'

/** GET /console/api/projects/imports */
interface ProjectImport {
  readonly id: string
  readonly state: 'uploading' | 'queued' | 'running' | 'done' | 'failed'
  readonly size: number
  readonly asked_at: string
  readonly error: string | null
  readonly report: { readonly id: string; readonly rows: number } | null
}
interface Begun {
  readonly id: string
  readonly upload: { readonly url: string; readonly headers: Record<string, string> }
}

const KEY = ['imports of projects']
/** While one is read, the list is read again so often. */
const POLL_MS = 2_000

/** Imports of whole projects, the newest first; nothing where there are none. */
export function ProjectImports() {
  const { data = [] } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await callConsole<{ data: readonly ProjectImport[] }>('GET', '/projects/imports', { signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some((each) => each.state === 'queued' || each.state === 'running') ? POLL_MS : false,
  })
  if (data.length === 0) return null
  return (
    <Section title={t('Imports')}>
      <DataTable
        label={t('Imports of projects')}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Time'), cell: ({ asked_at }) => <Time at={asked_at} /> },
          { title: t('Status'), cell: ({ state, error }) => error ?? <Badge state={state} /> },
          { title: t('Archive'), cell: ({ size }) => bytesInWords(size), isNumber: true },
          {
            title: t('Rows'),
            cell: ({ report }) => report?.rows.toLocaleString(spokenLanguage()) ?? '',
            isNumber: true,
          },
          {
            title: t('Project'),
            cell: ({ report }) =>
              report && (
                <Link to="/$project/$side/settings/danger" params={{ project: report.id, side: 'test' }}>
                  {t('Open')}
                </Link>
              ),
          },
        ]}
      />
    </Section>
  )
}

/** Takes the archive of an export, and the passphrase that it was made with. */
export function ImportProject({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [passphrase, setPassphrase] = useState('')
  const [file, setFile] = useState<File>()
  return (
    <Confirm
      title={t('Import a project')}
      verb={t('Import')}
      isDanger={false}
      act={async () => {
        if (file === undefined) throw new Error(t('Choose the archive of an export first.'))
        await bringIn(file, passphrase)
      }}
      onDone={() => queries.invalidateQueries({ queryKey: KEY })}
      onClose={onClose}
    >
      <p>{t('The project comes with its ids, and suspended. You become its owner, and resume it.')}</p>
      <p>
        <FileTrigger acceptedFileTypes={['.zip']} onSelect={(files) => setFile(files?.[0])}>
          <Button>{t('Choose the archive')}</Button>
        </FileTrigger>{' '}
        {file && `${file.name} (${bytesInWords(file.size)})`}
      </p>
      <TextField
        {...{ name: 'passphrase', type: 'password', autoComplete: 'off', isRequired: true }}
        label={t('Passphrase')}
        description={t('The one that the export was made with.')}
        value={passphrase}
        onChange={setPassphrase}
      />
    </Confirm>
  )
}

/** The storage takes the archive itself, so that it may be large. */
async function bringIn(file: File, passphrase: string): Promise<void> {
  const body = { passphrase, size: file.size }
  const { data } = await callConsole<{ data: Begun }>('POST', '/projects/imports', { body })
  const { url, headers } = data.upload
  const sent = await fetch(url, { method: 'PUT', headers, body: file }).catch(() => undefined)
  if (sent?.ok !== true) throw new Error(t('The storage did not take the archive. Try again.'))
  await callConsole('POST', `/projects/imports/${data.id}/complete`)
}
