import type { NewNotificationMessage } from '@guildhall/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { useActKey } from '../../data/act-key.ts'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { usePlans } from '../../data/plan-names.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { type Chosen, Recipients } from './recipients.tsx'
import styles from './write.module.css'

/** Writes a notification to some members, or to all with a plan, and says first how many get it. */
export function WriteNotification() {
  const { canChange } = useRights()
  const [round, setRound] = useState(0)
  const [told, setTold] = useState<string>()
  const [typed, setTyped] = useState<NewNotificationMessage>()
  const sends = typed && { name: 'notifications.create', args: [typed] }
  return (
    <Page title={t('Write a notification')} sends={canChange ? sends : undefined}>
      <p>{t('Members read it in the product, and by mail as they prefer. It cannot be taken back.')}</p>
      <div role="status">{told}</div>
      {canChange ? (
        <Message
          key={round}
          onTyped={setTyped}
          onSent={(count) => {
            setTold(t('Sent to {count} {count:member|members}', { count: count }))
            setRound(round + 1)
          }}
        />
      ) : (
        <Empty title={t('Viewers write no notifications')} />
      )}
    </Page>
  )
}

type To = 'members' | 'plan'

interface MessageProps {
  readonly onTyped: (message: NewNotificationMessage) => void
  readonly onSent: (count: number) => void
}

function Message({ onTyped, onSent }: MessageProps) {
  const { data: plans = [] } = usePlans()
  const [to, setTo] = useState<To>('members')
  const [members, setMembers] = useState<readonly Chosen[]>([])
  const [plan, setPlan] = useState('')
  const [text, setText] = useState('')
  const [url, setUrl] = useState('')
  const [isAsking, setAsking] = useState(false)
  const planId = plan || plans[0]?.id || ''
  const ofPlan = usePlanCount(to === 'plan' ? planId : '')
  const count = to === 'plan' ? ofPlan : members.length
  const { client } = useProject()
  const keyOf = useActKey()
  const body: NewNotificationMessage = {
    text,
    ...(url.trim() !== '' && { url: url.trim() }),
    ...(to === 'plan' ? { plan_id: planId } : { member_ids: members.map(({ id }) => id) }),
  }
  const send = useMutation({
    mutationFn: async () => {
      await client.notifications.create(body, { idempotencyKey: keyOf(body) })
    },
    onSuccess: () => onSent(count ?? 0),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message is told once for each change of it.
  useEffect(() => onTyped(body), [JSON.stringify(body)])
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send.reset()
        setAsking(true)
      }}
    >
      <Select
        label={t('To')}
        isLabelShown
        options={[
          { id: 'members', name: t('Some members') },
          { id: 'plan', name: t('Every active member with a plan') },
        ]}
        value={to}
        onChange={(value) => setTo(value as To)}
      />
      {to === 'members' ? (
        <Recipients chosen={members} onChange={setMembers} error={faultOf(send.error, 'member_ids')} />
      ) : (
        <Select
          label={t('Plan')}
          isLabelShown
          options={plans.map(({ id, name }) => ({ id, name }))}
          value={planId}
          onChange={setPlan}
          error={faultOf(send.error, 'plan_id')}
        />
      )}
      <TextField
        label={t('Text')}
        name="text"
        value={text}
        onChange={setText}
        description={t('One line of plain text')}
        isRequired
        error={faultOf(send.error, 'text')}
      />
      <TextField
        label={t('Address')}
        name="url"
        value={url}
        onChange={setUrl}
        description={t('Where the notification leads. It can be left empty')}
        error={faultOf(send.error, 'url')}
      />
      <p role="status">
        {count === undefined
          ? t('Loading …')
          : t('{count} {count:member gets|members get} it', { count: count })}
      </p>
      <Button kind="primary" type="submit" isDisabled={!count || text.trim() === ''}>
        {t('Send')}
      </Button>
      {isAsking && (
        <FormDialog
          title={t('Send it to {count} {count:member|members}?', { count: count ?? 0 })}
          verb={t('Send')}
          isPending={send.isPending}
          error={send.error}
          onSubmit={() => send.mutate()}
          onClose={() => setAsking(false)}
        >
          <p dir="auto">{t('“{text}”', { text })}</p>
          <p>{t('It cannot be taken back.')}</p>
        </FormDialog>
      )}
    </Form>
  )
}

/** How many active members have a plan; undefined until it is known. */
function usePlanCount(planId: string): number | undefined {
  const { project, side, client } = useProject()
  const { data } = useQuery({
    queryKey: [project, side, 'members', 'of-plan', planId],
    queryFn: async ({ signal }) =>
      (await client.members.list({ plan_id: planId, status: 'active', limit: 1 }, { signal })).pagination
        .total,
    enabled: planId !== '',
  })
  return planId === '' ? 0 : data
}
