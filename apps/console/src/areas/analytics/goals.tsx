import type { Goal } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import { EditGoal } from './goal-edit.tsx'
import { useGoalAct, useGoals } from './queries.ts'
import { AnalyticsViews } from './views.tsx'

/** What visitors should do: reports say how many of them did. */
export function GoalList() {
  const list = useGoals()
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const [removed, setRemoved] = useState<Goal>()
  const [edited, setEdited] = useState<Goal>()
  return (
    <Page
      title={t('Goals')}
      actions={
        canChange && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            {t('Create a goal')}
          </Button>
        )
      }
    >
      <AnalyticsViews />
      <List
        title={t('Goals')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ name }) => name },
          { title: t('Event'), cell: ({ event }) => (event === null ? '–' : <code>{event}</code>) },
          { title: t('Page'), cell: ({ page }) => (page === null ? '–' : <code>{page}</code>) },
          { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
          ...(canChange
            ? [
                {
                  title: t('Actions'),
                  cell: (goal: Goal) => (
                    <Buttons>
                      <Button label={t('Edit {name}', { name: goal.name })} onPress={() => setEdited(goal)}>
                        {t('Edit')}
                      </Button>
                      <Button
                        label={t('Delete {name}', { name: goal.name })}
                        onPress={() => setRemoved(goal)}
                      >
                        {t('Delete')}
                      </Button>
                    </Buttons>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <Empty title={t('There are no goals yet')}>
            {t('A goal is an event, or a page that visitors should reach.')}
          </Empty>
        }
      />
      {isCreating && <CreateGoal onClose={() => setCreating(false)} />}
      {edited && <EditGoal goal={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveGoal goal={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  )
}

function CreateGoal({ onClose }: { readonly onClose: () => void }) {
  const [of, setOf] = useState<'event' | 'page'>('event')
  const { mutate, isPending, error } = useGoalAct(onClose)
  return (
    <FormDialog
      title={t('Create a goal')}
      verb={t('Create')}
      isPending={isPending}
      error={error}
      fields={['name', 'event', 'page']}
      onSubmit={(form) => {
        const [name, value] = [String(form.get('name')), String(form.get('value'))]
        mutate({ create: { ...(name !== '' && { name }), [of]: value } })
      }}
      onClose={onClose}
    >
      <Select
        label={t('What counts')}
        isLabelShown
        options={[
          { id: 'event', name: t('An event') },
          { id: 'page', name: t('A page') },
        ]}
        value={of}
        onChange={(id) => setOf(id as 'event' | 'page')}
      />
      <TextField
        label={of === 'event' ? t('Name of the event') : t('Path of the page')}
        name="value"
        description={of === 'event' ? t('Such as sign_up') : t('Such as /thanks, or /shop/*/thanks')}
        isRequired
        autoFocus
        error={faultOf(error, of)}
      />
      <TextField label={t('Name')} name="name" error={faultOf(error, 'name')} />
    </FormDialog>
  )
}

function RemoveGoal({ goal: { id, name }, onClose }: { readonly goal: Goal; readonly onClose: () => void }) {
  const { mutate, isPending, error } = useGoalAct(onClose)
  return (
    <FormDialog
      title={t('Delete {name}?', { name })}
      verb={t('Delete')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ remove: id })}
      onClose={onClose}
    >
      <p>{t('Reports no longer count it. The visits themselves stay.')}</p>
    </FormDialog>
  )
}
