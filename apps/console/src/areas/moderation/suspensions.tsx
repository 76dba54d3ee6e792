import type { Suspension } from '@guildhall/sdk'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { SuspendMember } from '../../ui/suspend-member/suspend-member.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useAct, useSuspensions } from './queries.ts'
import { ModerationViews } from './views.tsx'

interface Open {
  readonly dialog: 'end' | 'change'
  readonly of: Suspension
}

const nameOf = ({ author, member_id }: Suspension): string => author?.display_name ?? member_id

export function SuspensionList() {
  const list = useSuspensions()
  const { canChange } = useRights()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      <ListScreen
        title={t('Suspensions')}
        views={<ModerationViews />}
        list={list}
        keyOf={({ member_id }) => member_id}
        columns={[
          { title: t('Member'), cell: ({ member_id, author }) => <Author id={member_id} author={author} /> },
          { title: t('Reason'), cell: ({ reason }) => <bdi>{reason}</bdi> },
          {
            title: t('Ends'),
            cell: ({ until }) => (until === null ? t('When somebody ends it') : <Time at={until} />),
          },
          { title: t('Suspended'), cell: ({ suspended_at }) => <Time at={suspended_at} /> },
          ...(canChange
            ? [
                {
                  title: t('Actions'),
                  cell: (of: Suspension) => (
                    <Buttons>
                      <Button
                        label={t('Change the suspension of {name}', { name: nameOf(of) })}
                        onPress={() => setOpen({ dialog: 'change', of })}
                      >
                        {t('Change')}
                      </Button>
                      <Button
                        label={t('End the suspension of {name}', { name: nameOf(of) })}
                        onPress={() => setOpen({ dialog: 'end', of })}
                      >
                        {t('End')}
                      </Button>
                    </Buttons>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <Empty title={t('Nobody is suspended')}>
            {t('A member is suspended from the queue, from a post, or from the member’s own page.')}
          </Empty>
        }
      />
      {open?.dialog === 'end' && <EndSuspension of={open.of} onClose={close} />}
      {open?.dialog === 'change' && (
        <SuspendMember id={open.of.member_id} name={nameOf(open.of)} present={open.of} onClose={close} />
      )}
    </>
  )
}

function EndSuspension({ of, onClose }: { readonly of: Suspension; readonly onClose: () => void }) {
  const { client } = useProject()
  const { mutate, isPending, error } = useAct(() => client.members.unsuspend(of.member_id), onClose)
  return (
    <FormDialog
      title={t('End the suspension of {name}?', { name: nameOf(of) })}
      verb={t('End it')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('The member can write again, at once.')}</p>
    </FormDialog>
  )
}
