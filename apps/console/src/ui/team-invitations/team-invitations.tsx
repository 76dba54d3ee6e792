import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole, type Role } from '../../data/console-api.ts'
import { t, wordOf } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { DataTable } from '../data-table/data-table.tsx'
import { ErrorNotice } from '../notice/notice.tsx'
import { Section } from '../page/page.tsx'
import { Time } from '../time/time.tsx'

interface OwnInvitation {
  readonly id: string
  readonly project: { readonly id: string; readonly name: string }
  readonly role: Role
  readonly expires_at: string
}

/** The invitations of the operator to teams. Nothing where there are none. */
export function TeamInvitations() {
  const queries = useQueryClient()
  const { data: invitations } = useQuery({
    queryKey: ['me', 'invitations'],
    queryFn: async ({ signal }) =>
      (await callConsole<{ data: readonly OwnInvitation[] }>('GET', '/me/invitations', { signal })).data,
    staleTime: 60_000,
  })
  const join = useMutation({
    mutationFn: (id: string) => callConsole('POST', `/me/invitations/${id}/accept`, {}),
    onSuccess: () => queries.invalidateQueries(),
  })
  if (invitations === undefined || invitations.length === 0) return null
  return (
    <Section title={t('Invitations to teams')}>
      {join.error && <ErrorNotice error={join.error} />}
      <DataTable
        label={t('Invitations to teams')}
        rows={invitations}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Project'), cell: ({ project }) => <bdi>{project.name}</bdi> },
          { title: t('Role'), cell: ({ role }) => wordOf(role) },
          { title: t('Ends'), cell: ({ expires_at }) => <Time at={expires_at} /> },
          {
            title: t('Actions'),
            cell: ({ id, project }) => (
              <Button
                kind="primary"
                label={`${t('Join')}: ${project.name}`}
                isPending={join.isPending}
                onPress={() => join.mutate(id)}
              >
                {t('Join')}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}
