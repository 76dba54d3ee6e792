import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../../data/console-api.ts'
import { t, wordOf } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { SearchField } from '../../ui/search-field/search-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import { NewProject } from './create.tsx'
import { ImportProject, ProjectImports } from './imports.tsx'
import { useIsAdministrator, useProjects } from './queries.ts'

/** The projects of the operator; an administrator of the installation sees all. */
export function ProjectList() {
  const isAdministrator = useIsAdministrator()
  const [search, setSearch] = useState('')
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [isCreating, setCreating] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const { data, error, refetch } = useProjects(search, cursors.at(-1))
  return (
    <Page
      title={isAdministrator ? t('All projects') : t('Your projects')}
      back={<Link to="/">{t('Back to the console')}</Link>}
      actions={
        <>
          {isAdministrator && <Button onPress={() => setImporting(true)}>{t('Import a project')}</Button>}
          <Button kind="primary" onPress={() => setCreating(true)}>
            {t('Create a project')}
          </Button>
        </>
      }
    >
      <search>
        <SearchField
          label={t('Search projects')}
          value={search}
          onSearch={(text) => {
            setCursors([])
            setSearch(text)
          }}
        />
      </search>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data?.data.length === 0 && (
        <Empty title={search === '' ? t('There are no projects yet') : t('Nothing matches')}>
          {search === '' &&
            t(
              'A project has members, plans and all their data, on two sides that share nothing: live and test.',
            )}
        </Empty>
      )}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={t('Projects')}
          rows={data.data}
          keyOf={({ id }) => id}
          linkOf={linkOf}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            { title: t('Status'), cell: ({ state }) => <Badge state={state} /> },
            { title: t('Tier'), cell: ({ tier }) => wordOf(tier) },
            { title: t('Your role'), cell: ({ role }) => (role === null ? t('None') : wordOf(role)) },
            { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      )}
      <Buttons>
        {cursors.length > 0 && (
          <Button onPress={() => setCursors(cursors.slice(0, -1))}>{t('Previous')}</Button>
        )}
        {data?.next_cursor && (
          <Button onPress={() => setCursors([...cursors, data.next_cursor ?? ''])}>{t('Next')}</Button>
        )}
      </Buttons>
      {isAdministrator && <ProjectImports />}
      {isImporting && <ImportProject onClose={() => setImporting(false)} />}
      {isCreating && <NewProject onClose={() => setCreating(false)} />}
    </Page>
  )
}

/** Data is seen by a role alone; without one, or once it is deleted, a project has what concerns the whole of it. */
const linkOf = ({ id, role, state }: Project) => ({
  to:
    role === null || state !== 'active'
      ? ('/$project/$side/settings/danger' as const)
      : ('/$project/$side/members' as const),
  params: { project: id, side: 'test' },
})
