import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { Form } from 'react-aria-components/Form'
import { callConsole, type Project } from '../data/console-api.ts'
import { projectsQuery } from '../data/keys.ts'
import { t } from '../data/words.ts'
import { Button } from '../ui/button/button.tsx'
import { ErrorNotice } from '../ui/notice/notice.tsx'
import { Page } from '../ui/page/page.tsx'
import { TeamInvitations } from '../ui/team-invitations/team-invitations.tsx'
import { TextField } from '../ui/text-field/text-field.tsx'
import styles from './log-in.module.css'

/** Leads to the newest project, or makes the first one. */
export function Home() {
  const { data: projects, error, refetch } = useQuery(projectsQuery)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (projects === undefined) return null
  const first = projects.find(({ role }) => role !== null)
  if (first === undefined) return <FirstProject />
  return <Navigate to="/$project/$side" params={{ project: first.id, side: 'test' }} replace />
}

function FirstProject() {
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: (name: string) => callConsole<{ data: Project }>('POST', '/projects', { body: { name } }),
    onSuccess: () => queries.invalidateQueries(projectsQuery),
  })
  return (
    <Page title={t('Your first project')}>
      <TeamInvitations />
      <p>
        {t(
          'A project has members, plans and all their data, on two sides that share nothing: live and test.',
        )}
      </p>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(String(new FormData(event.currentTarget).get('name')))
        }}
      >
        {create.error && <ErrorNotice error={create.error} />}
        <TextField label={t('Name')} name="name" isRequired />
        <Button kind="primary" type="submit" isPending={create.isPending}>
          {t('Create the project')}
        </Button>
      </Form>
    </Page>
  )
}
