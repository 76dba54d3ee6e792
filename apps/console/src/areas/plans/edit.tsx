import type { NewPlan, Plan, PlanChanges } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { plansCreate, plansUpdate } from '../../forms.generated/plans.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import type { FieldTexts } from '../../ui/schema-form/field.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { type FormState, useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { type ReadPlan, useReadPlan, useRefreshPlans } from './queries.ts'

/** What the fields of a plan are called, and how they are shown. */
const texts = (): FieldTexts => ({
  labels: {
    slug: t('Short name'),
    price: t('Price'),
    interval: t('Is paid every'),
    interval_count: t('How many of them'),
    trial_days: t('Days of trial'),
    limits: t('Limits, as JSON'),
    is_default: t('New members get it'),
    rank: t('Rank'),
  },
  descriptions: {
    slug: t('Lower-case words with hyphens; made from the name where it is empty'),
    features: t('Words that your product and page rules know, such as “downloads”'),
    limits: t('Numbers and settings that your product reads, such as {"seats": 5}'),
    rank: t('A change to a plan with a higher rank is an upgrade'),
  },
  controls: {
    description: 'textarea',
    price: { money: ({ currency }) => String(currency ?? '') },
    limits: 'code',
  },
})

const FIELDS = [
  ...['name', 'slug', 'description', 'price', 'currency', 'interval', 'interval_count', 'trial_days'],
  ...['features', 'limits', 'rank', 'visibility', 'is_default'],
]

export function CreatePlan({ onClose }: { readonly onClose: () => void }) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefreshPlans()
  const form = useSchemaForm<NewPlan, Plan>({
    operation: plansCreate,
    fields: FIELDS,
    initial: { currency: 'eur', interval: 'month', interval_count: 1, visibility: 'public' },
    send: (body) => client.plans.create(body),
    onDone: async ({ id }) => {
      await refresh()
      await navigate({ to: '/$project/$side/plans/$id', params: { project, side, id } })
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('New plan')}
      verb={t('Create the plan')}
      onClose={onClose}
      {...texts()}
    />
  )
}

interface EditProps {
  readonly read: ReadPlan
  readonly onClose: () => void
}

/** Changes a plan. Members stay on the price that they have. */
export function EditPlan({ read, onClose }: EditProps) {
  const { client } = useProject()
  const refresh = useRefreshPlans()
  const { id, name } = read.value
  const readPlan = useReadPlan(id)
  const form = useSchemaForm<PlanChanges, Plan>({
    operation: plansUpdate,
    fields: FIELDS,
    read,
    readAgain: () => readPlan(),
    of: id,
    // What is taken away from it is gone.
    merged: [],
    send: (body, options) => client.plans.update(id, body, options),
    onDone: async () => {
      await refresh()
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit {name}', { name })}
      verb={t('Save')}
      onClose={onClose}
      {...texts()}
    >
      <Effect form={form} plan={read.value} />
    </SchemaFormDialog>
  )
}

const PRICED = ['price', 'currency', 'interval', 'interval_count']

/** What a change means to those who are on the plan. */
function Effect({ form: { body }, plan }: { readonly form: FormState; readonly plan: Plan }) {
  const count = plan.member_count
  return (
    <ul aria-live="polite">
      {PRICED.some((name) => name in body) && (
        <li>
          {t(
            '{count} {count:member on it keeps the present price|members on it keep the price that they have}; new ones pay the new price.',
            { count },
          )}
        </li>
      )}
      {'is_default' in body && body['is_default'] === true && (
        <li>
          {t('Members who are on the present default plan only because it is the default move to this one.')}
        </li>
      )}
      {('features' in body || 'limits' in body) && (
        <li>
          {t('{count} {count:member on it gets or loses|members on it get or lose} this at once.', { count })}
        </li>
      )}
    </ul>
  )
}

/** Nobody subscribes to an archived plan any more. */
export function ArchivePlan({ read: { value: plan }, onClose }: EditProps) {
  const { client } = useProject()
  const refresh = useRefreshPlans()
  return (
    <Confirm
      title={t('Archive {name}?', { name: plan.name })}
      verb={t('Archive the plan')}
      act={() => client.plans.archive(plan.id)}
      onDone={refresh}
      onClose={onClose}
    >
      <p>{t('Nobody can subscribe to it any more. This cannot be undone.')}</p>
      <p>
        {t('{count} {count:member on it keeps it, and is|members on it keep it, and are} renewed.', {
          count: plan.member_count,
        })}
      </p>
    </Confirm>
  )
}

/** A plan that nobody ever had is deleted. */
export function DeletePlan({ read: { value: plan, etag }, onClose }: EditProps) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefreshPlans()
  return (
    <Confirm
      title={t('Delete {name}?', { name: plan.name })}
      verb={t('Delete the plan')}
      act={() => client.plans.delete(plan.id, { ifMatch: etag })}
      onDone={async () => {
        await navigate({ to: '/$project/$side/plans', params: { project, side } })
        await refresh()
      }}
      onClose={onClose}
    >
      <p>{t('A plan that members or subscriptions have had cannot be deleted: archive it.')}</p>
      <p>{t('This cannot be undone.')}</p>
    </Confirm>
  )
}
