import type { ListMailSuppressionsQuery, MailSuppression } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useList, useProject } from '../../data/list-query.ts'
import { useProjectRow, useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { MailViews } from './views.tsx'

/** Addresses that do not exist, as their own mail servers said. Nothing is sent to them any more. */
export function SuppressedAddresses() {
  const { canChange } = useRights()
  const row = useProjectRow()
  if (row !== undefined && !canChange)
    return (
      <Page title={t('Suppressed addresses')}>
        <Empty title={t('Owners and admins of the project see mails')} />
      </Page>
    )
  return <Addresses />
}

function Addresses() {
  const list = useList('mails/suppressed', (client, query, signal) =>
    client.mail.suppressions.list(query as ListMailSuppressionsQuery, { signal }),
  )
  const [removing, setRemoving] = useState<MailSuppression>()
  return (
    <>
      <ListScreen
        title={t('Suppressed addresses')}
        views={<MailViews />}
        list={list}
        searchLabel={t('Search addresses')}
        dates={t('Created')}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Address'), cell: ({ address }) => address },
          { title: t('Answer'), cell: ({ response }) => response },
          {
            title: t('Mail'),
            cell: ({ mail_id: id }) => (
              <Link to="/$project/$side/mails/$id" params={{ ...list.params, id }}>
                {t('The mail')}
              </Link>
            ),
          },
          { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
          {
            title: t('Actions'),
            cell: (suppression) => (
              <Button onPress={() => setRemoving(suppression)}>{t('Send to it again')}</Button>
            ),
          },
        ]}
        empty={
          <Empty title={t('No address is suppressed')}>
            {t('An address appears here when its mail server says that it does not exist.')}
          </Empty>
        }
      />
      {removing && <SendAgain suppression={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

interface Props {
  readonly suppression: MailSuppression
  readonly onClose: () => void
}

function SendAgain({ suppression: { id, address }, onClose }: Props) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => client.mail.suppressions.delete(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'mails/suppressed'] })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('Send mails to {address} again?', { address })}
      verb={t('Send to it again')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {t(
          'The next mail goes to this address. Mails that were not sent before are not sent. If the address still does not exist, it is suppressed again.',
        )}
      </p>
    </FormDialog>
  )
}
