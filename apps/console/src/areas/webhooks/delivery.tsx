import type { WebhookAttempt } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { CodeBlock } from '../../ui/code-block/code-block.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { LastAnswer } from './detail.tsx'
import { useDelivery, useReplay } from './queries.ts'

export function DeliveryDetail() {
  const { id = '', delivery: deliveryId = '', project = '', side = '' } = useParams({ strict: false })
  const { data: delivery, error, refetch } = useDelivery(deliveryId)
  const replay = useReplay(deliveryId)
  const { canChange } = useRights()
  if (delivery === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const isSending = delivery.status === 'sending'
  return (
    <Page
      title={t('Delivery of {event}', { event: delivery.event_type })}
      back={
        <Link to="/$project/$side/webhooks/$id" params={{ project, side, id }}>
          {t('Its webhook')}
        </Link>
      }
      actions={
        canChange && (
          <Button
            kind="primary"
            isPending={replay.isPending}
            isDisabled={isSending}
            onPress={() => replay.mutate()}
          >
            {t('Send again')}
          </Button>
        )
      }
    >
      {replay.error && <ErrorNotice error={replay.error} />}
      {replay.isSuccess && <p role="status">{t('It is being sent again. The attempt appears below.')}</p>}
      <Section title={t('Delivery')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{delivery.id}</code>],
            [
              t('Event'),
              <Link
                key="event"
                to="/$project/$side/events/$id"
                params={{ project, side, id: delivery.event_id }}
              >
                <code>{delivery.event_type}</code>
              </Link>,
            ],
            [t('Status'), <Badge key="status" state={delivery.status} />],
            [t('Attempts'), String(delivery.attempt_count)],
            [t('Last answer'), <LastAnswer key="answer" of={delivery} />],
            [t('Next attempt'), delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />],
            [t('Created'), <Time key="created" at={delivery.created_at} />],
          ]}
        />
      </Section>
      <Section title={t('Attempts')}>
        {delivery.attempts.length === 0 && <Empty title={t('It has not been tried yet')} />}
        {delivery.attempts.toReversed().map((attempt) => (
          <Attempt key={attempt.number} attempt={attempt} />
        ))}
      </Section>
      <Section title={t('What is sent')}>
        <CodeBlock label={t('What is sent')} text={JSON.stringify(delivery.event, undefined, 2)} />
      </Section>
    </Page>
  )
}

function Attempt({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { number, started_at, duration_ms, status, error, response_body } = attempt
  return (
    <>
      <Fields
        fields={[
          [t('Attempt'), String(number)],
          [t('Begun'), <Time key="begun" at={started_at} />],
          [t('Took'), t('{ms} ms', { ms: duration_ms })],
          [t('Answer'), <LastAnswer key="answer" of={{ last_status: status, last_error: error }} />],
        ]}
      />
      {response_body && (
        <CodeBlock label={t('Answer to attempt {number}', { number })} text={response_body} />
      )}
    </>
  )
}
