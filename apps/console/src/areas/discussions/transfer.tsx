import { type CommunityImport, uploadFile } from '@guildhall/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useProject } from '../../data/list-query.ts'
import { useProjectRow, useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import buttonStyles from '../../ui/button/button.module.css'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { saveFrom } from '../../ui/export-button/save-from.ts'
import { Fields } from '../../ui/fields/fields.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { DiscussionViews } from './views.tsx'

/** Milliseconds between two looks at an import that goes on. */
const AGAIN_MS = 1_000

/** The whole community as a file, and from a file. Viewers do neither. */
export function CommunityTransfer() {
  const { canChange } = useRights()
  const row = useProjectRow()
  return (
    <Page title={t('Export and import')} views={<DiscussionViews />}>
      {row !== undefined && !canChange ? (
        <Empty title={t('Owners and admins of the project export and import')} />
      ) : (
        <>
          <Section title={t('Export')}>
            <ExportCommunity />
          </Section>
          <Section title={t('Import')}>
            <ImportCommunity />
          </Section>
        </>
      )}
    </Page>
  )
}

function ExportCommunity() {
  const { client } = useProject()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const answer = await client.community.export()
      saveBlob(await answer.blob(), 'community.ndjson')
    },
  })
  return (
    <>
      <p>
        {t(
          'All that members have written, one thing a line, with the files of posts and the addresses of authors.',
        )}
      </p>
      {error && <ErrorNotice error={error} />}
      <div>
        <Button isPending={isPending} onPress={() => mutate()}>
          {t('Export the community')}
        </Button>
      </div>
    </>
  )
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  saveFrom(url, name)
  URL.revokeObjectURL(url)
}

/** A file is tried first: nothing of it is created before its faults were seen. */
function ImportCommunity() {
  const { client } = useProject()
  const navigate = useNavigate()
  const { import: id } = useSearch({ strict: false }) as { readonly import?: string }
  const [upload, setUpload] = useState<string>()
  const begin = async (upload: string, dry_run: boolean) => {
    const begun = await client.community.imports.create({ upload_id: upload, dry_run })
    setUpload(upload)
    // In the address it is found again for the week in which it is kept.
    await navigate({ to: '.', search: { import: begun.id }, replace: true })
  }
  const tryIt = useMutation({
    mutationFn: async (file: File) => begin((await uploadFile(client, file)).id, true),
  })
  const importIt = useMutation({ mutationFn: async (upload: string) => begin(upload, false) })
  const error = tryIt.error ?? importIt.error
  return (
    <>
      <p>
        {t('A file of such an export. It is tried first: you see its faults before anything is created.')}
      </p>
      {error && <ErrorNotice error={error} />}
      <div>
        <FileTrigger onSelect={(files) => files?.[0] && tryIt.mutate(files[0])}>
          <AriaButton className={buttonStyles.button ?? ''} isDisabled={tryIt.isPending}>
            {tryIt.isPending ? t('Uploading …') : t('Try a file')}
          </AriaButton>
        </FileTrigger>
      </div>
      {id !== undefined && (
        <Progress
          key={id}
          id={id}
          isPending={importIt.isPending}
          onImport={upload === undefined ? undefined : () => importIt.mutate(upload)}
        />
      )}
    </>
  )
}

const isOver = ({ finished_at }: CommunityImport): boolean => finished_at !== null

interface ProgressProps {
  readonly id: string
  readonly isPending: boolean
  /** Nothing where the file is not known: it was tried before this screen was opened. */
  readonly onImport: (() => void) | undefined
}

function Progress({ id, isPending, onImport }: ProgressProps) {
  const { project, side, client } = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project, side, 'community import', id],
    queryFn: ({ signal }) => client.community.imports.get(id, {}, { signal }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : AGAIN_MS),
  })
  if (data === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { status, dry_run: isTrial, lines, created, faulty, faults } = data
  const mayImport = onImport && isTrial && isOver(data) && data.error === null && created > 0
  return (
    <>
      <div role="status">
        <Fields
          fields={[
            [t('Status'), <Badge key="status" state={status} />],
            [t('How'), isTrial ? t('Only tried') : t('Imported')],
            [t('Lines'), lines],
            [isTrial ? t('Would be created') : t('Created'), created],
            [t('Faulty lines'), faulty],
            ...(data.error === null ? [] : [[t('Failure'), data.error] as const]),
          ]}
        />
      </div>
      {faults.length > 0 && <Faults of={faults} />}
      {!isTrial && isOver(data) && data.map.length > 0 && <NewIds of={id} />}
      {mayImport && (
        <div>
          <Button kind="primary" isPending={isPending} onPress={onImport}>
            {t('Import {count} {count:line|lines}', { count: created })}
          </Button>
        </div>
      )}
    </>
  )
}

/** Whoever has links to the old ids leads them to the new ones by this file. */
function NewIds({ of }: { readonly of: string }) {
  const { client } = useProject()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const lines: string[] = []
      for (let map_after: string | null | undefined; map_after !== null; ) {
        const { map, map_next } = await client.community.imports.get(of, { map_after })
        lines.push(...map.map((moved) => `${JSON.stringify(moved)}\n`))
        map_after = map_next
      }
      saveBlob(new Blob(lines, { type: 'application/x-ndjson' }), 'community-ids.ndjson')
    },
  })
  return (
    <>
      <p>{t('Some ids of the file were taken. A file says which new ids and addresses stand for them.')}</p>
      {error && <ErrorNotice error={error} />}
      <div>
        <Button isPending={isPending} onPress={() => mutate()}>
          {t('Download the new ids')}
        </Button>
      </div>
    </>
  )
}

function Faults({ of }: { readonly of: CommunityImport['faults'] }) {
  return (
    <DataTable
      label={t('Faults')}
      rows={of.map((fault, i) => ({ ...fault, key: String(i) }))}
      keyOf={({ key }) => key}
      columns={[
        { title: t('Line'), cell: ({ line }) => line, isNumber: true },
        { title: t('Type'), cell: ({ record }) => <code>{record}</code> },
        { title: t('Field'), cell: ({ field }) => (field === '' ? '–' : <code>{field}</code>) },
        { title: t('What is wrong'), cell: ({ message }) => message },
      ]}
    />
  )
}
