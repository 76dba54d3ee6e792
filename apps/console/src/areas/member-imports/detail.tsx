import type { MemberImport } from '@guildhall/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './imports.module.css'
import { saveAs, useImport } from './queries.ts'

/** How far an import is, and what is wrong with its rows. */
export function ImportDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: shown, error, refetch } = useImport(id)
  if (shown === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { dry_run: isTrial, created, processed_rows: processed, total_rows: total, faulty } = shown
  const isOver = shown.finished_at !== null
  return (
    <Page
      title={isTrial ? t('Trial of an import') : t('Import')}
      back={
        <Link to="/$project/$side/imports" params={{ project, side }}>
          {t('Imports and exports')}
        </Link>
      }
    >
      <Section title={t('Progress')}>
        {!isOver && (
          <progress
            className={styles.progress}
            aria-label={t('Rows that are done')}
            value={processed}
            max={Math.max(1, total)}
          />
        )}
        <p role="status">
          {t('{processed} of {total} {total:row is|rows are} done', {
            processed: processed,
            total: total,
          })}
        </p>
        <Fields
          fields={[
            [t('Id'), <code key="id">{id}</code>],
            [t('Status'), <Badge key="status" state={shown.status} />],
            ...(shown.status === 'failed'
              ? [
                  [
                    t('Why'),
                    t('An error on our side. Created members are kept: import the file again.'),
                  ] as const,
                ]
              : []),
            [
              isTrial ? t('Members that would be created') : t('Members created'),
              created.toLocaleString(spokenLanguage()),
            ],
            [t('Faulty rows'), faulty.toLocaleString(spokenLanguage())],
            [t('Created'), <Time key="created" at={shown.created_at} />],
            [t('Finished'), shown.finished_at && <Time at={shown.finished_at} />],
          ]}
        />
        {isTrial && isOver && <p>{t('Nothing was changed. To import it, choose the file once more.')}</p>}
      </Section>
      {/* One that stopped before its first row has found nothing out about the others. */}
      {(shown.status !== 'failed' || shown.faults.length > 0) && (
        <Section title={t('Faults')}>
          <Faults of={shown} />
        </Section>
      )}
    </Page>
  )
}

function Faults({ of: { id, faults, faults_url: url } }: { readonly of: MemberImport }) {
  const { client } = useProject()
  const save = useMutation({
    mutationFn: async () => saveAs(await client.members.imports.faults.get(id), 'faults.csv'),
  })
  if (faults.length === 0) return <Empty title={t('No row has a fault')} />
  return (
    <>
      <DataTable
        label={t('Faults')}
        rows={faults}
        keyOf={({ row, field, rule }) => `${row} ${field} ${rule}`}
        columns={[
          { title: t('Row'), cell: ({ row }) => row.toLocaleString(spokenLanguage()), isNumber: true },
          { title: t('Column'), cell: ({ field }) => (field === '' ? '–' : <code>{field}</code>) },
          { title: t('Fault'), cell: ({ message }) => message },
        ]}
      />
      {save.error && <ErrorNotice error={save.error} />}
      {url !== null && (
        <div>
          <Button isPending={save.isPending} onPress={() => save.mutate()}>
            {t('Download all faulty rows')}
          </Button>
        </div>
      )}
    </>
  )
}
