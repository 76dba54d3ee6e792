import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { saveAs, useImports } from './queries.ts'
import { UploadMembers } from './upload.tsx'

/** Members from files and into files. */
export function ImportList() {
  const { canChange } = useRights()
  const list = useImports()
  return (
    <Page title={t('Imports and exports')} actions={canChange && <ExportMembers />}>
      {canChange && (
        <Section title={t('Import a file')}>
          <UploadMembers />
        </Section>
      )}
      <Section title={t('Imports of the last week')}>
        <List
          title={t('Imports of the last week')}
          list={list}
          filters={[
            { name: 'status', label: t('Status'), values: ['queued', 'running', 'completed', 'failed'] },
          ]}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t('Created'),
              cell: ({ id, created_at }) => (
                <Link to="/$project/$side/imports/$id" params={{ ...list.params, id }}>
                  <Time at={created_at} />
                </Link>
              ),
              sort: 'created_at',
            },
            { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
            { title: t('How'), cell: ({ dry_run }) => (dry_run ? t('Only tried') : t('Imported')) },
            {
              title: t('Rows'),
              cell: ({ total_rows }) => total_rows.toLocaleString(spokenLanguage()),
              isNumber: true,
            },
            {
              title: t('Members created'),
              cell: ({ created }) => created.toLocaleString(spokenLanguage()),
              isNumber: true,
            },
            {
              title: t('Faulty rows'),
              cell: ({ faulty }) => faulty.toLocaleString(spokenLanguage()),
              isNumber: true,
            },
          ]}
          empty={
            <Empty title={t('Nothing was imported in the last week')}>
              {t('A file is tried first: you see its faults by row before a member is created.')}
            </Empty>
          }
        />
      </Section>
    </Page>
  )
}

/** All members as a CSV file, which an import takes back. */
function ExportMembers() {
  const { client } = useProject()
  const save = useMutation({
    mutationFn: async () => saveAs(await client.members.export(), 'members.csv'),
  })
  return (
    <>
      {save.error && <ErrorNotice error={save.error} />}
      <Button isPending={save.isPending} onPress={() => save.mutate()}>
        {t('Export all members')}
      </Button>
    </>
  )
}
