import type { Plan } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t, wordOf } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Price } from '../../ui/price/price.tsx'
import { Time } from '../../ui/time/time.tsx'
import { ArchivePlan, DeletePlan, EditPlan } from './edit.tsx'
import { type ReadPlan, useMembersOn, useOpenedBy, usePlan } from './queries.ts'

export function PlanDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = usePlan(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: plan } = read
  return (
    <Page
      title={plan.name}
      back={
        <Link to="/$project/$side/plans" params={{ project, side }}>
          {t('All plans')}
        </Link>
      }
      actions={<PlanActs read={read} />}
    >
      <Section title={t('Plan')}>
        <PlanFields plan={plan} />
      </Section>
      <Opens plan={plan} />
      <Members plan={plan} />
    </Page>
  )
}

const DIALOGS = { archive: ArchivePlan, delete: DeletePlan }

function PlanActs({ read }: { readonly read: ReadPlan }) {
  const { canChange } = useRights()
  const [open, setOpen] = useState<'edit' | keyof typeof DIALOGS>()
  if (!canChange) return null
  const close = () => setOpen(undefined)
  const Asked = open !== undefined && open !== 'edit' ? DIALOGS[open] : undefined
  return (
    <>
      <Button onPress={() => setOpen('edit')}>{t('Edit')}</Button>
      {read.value.status === 'active' && (
        <Button onPress={() => setOpen('archive')}>{t('Archive the plan')}</Button>
      )}
      <Button kind="danger" onPress={() => setOpen('delete')}>
        {t('Delete the plan')}
      </Button>
      {open === 'edit' && <EditPlan read={read} onClose={close} />}
      {Asked && <Asked read={read} onClose={close} />}
    </>
  )
}

function PlanFields({ plan }: { readonly plan: Plan }) {
  return (
    <Fields
      fields={[
        [t('Id'), <code key="id">{plan.id}</code>],
        [t('Short name'), <code key="slug">{plan.slug}</code>],
        [t('Description'), plan.description],
        [t('Price'), <Price key="price" of={plan} />],
        [t('Trial'), plan.trial_days === 0 ? null : t('{days} {days:day|days}', { days: plan.trial_days })],
        [t('Rank'), String(plan.rank)],
        [t('Visibility'), wordOf(plan.visibility)],
        [t('Status'), <Badge key="status" state={plan.status} />],
        [t('New members get it'), plan.is_default ? t('Yes') : t('No')],
        [t('Created'), <Time key="created" at={plan.created_at} />],
        [t('Changed'), <Time key="changed" at={plan.updated_at} />],
      ]}
    />
  )
}

/** What a member on the plan may use. */
function Opens({ plan }: { readonly plan: Plan }) {
  const { data: opened, error } = useOpenedBy(plan.id)
  return (
    <Section title={t('What it opens')}>
      {error && <ErrorNotice error={error} />}
      <Fields
        fields={[
          [
            t('Features'),
            plan.features.length === 0 ? null : <code key="f">{plan.features.join(', ')}</code>,
          ],
          ...Object.entries(plan.limits).map(
            ([name, value]) =>
              [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
          ),
          [t('Pages'), opened?.rules.map(({ id, url_pattern }) => <div key={id}>{url_pattern}</div>)],
          [t('Categories of discussions'), opened?.categories.map(({ name }) => name).join(', ')],
        ]}
      />
    </Section>
  )
}

/** Who is on the plan. */
function Members({ plan: { id, member_count: count } }: { readonly plan: Plan }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { data, error } = useMembersOn(id)
  return (
    <Section title={t('Members')}>
      {error && <ErrorNotice error={error} />}
      {data?.data.length === 0 && <Empty title={t('Nobody is on this plan')} />}
      {data !== undefined && data.data.length > 0 && (
        <>
          <DataTable
            label={t('Members')}
            rows={data.data}
            keyOf={(member) => member.id}
            linkOf={(member) => ({
              to: '/$project/$side/members/$id',
              params: { project, side, id: member.id },
            })}
            columns={[
              { title: t('Email address'), cell: ({ email }) => email },
              { title: t('Name'), cell: ({ full_name }) => <bdi>{full_name}</bdi> },
              { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
            ]}
          />
          <p>
            <Link to="/$project/$side/members" params={{ project, side }} search={{ plan_id: id }}>
              {t('{count:The member|All {count} members} on this plan', { count: count })}
            </Link>
            {' · '}
            <Link to="/$project/$side/subscriptions" params={{ project, side }} search={{ plan_id: id }}>
              {t('Subscriptions to this plan')}
            </Link>
          </p>
        </>
      )}
    </Section>
  )
}
