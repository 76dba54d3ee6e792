import { plansCreate } from '../../forms.generated/plans.ts'
import { webhooksCreate } from '../../forms.generated/webhooks.ts'
import type { Stories } from '../story.ts'
import { SchemaForm } from './schema-form.tsx'
import { useSchemaForm } from './use-schema-form.ts'

/** What the API answers to a body that it refuses. */
class Refused extends Error {
  readonly details = [
    { field: 'events[0]', rule: 'pattern', message: 'is no type of event' },
    { field: 'url', rule: 'format', message: 'must be an https URL' },
  ]
}

function Webhook() {
  const form = useSchemaForm({
    operation: webhooksCreate,
    initial: { events: ['nothing'], headers: { 'x-tenant': 'one' } },
    send: async () => {
      throw new Refused('2 fields are refused')
    },
    onDone: () => undefined,
  })
  return <SchemaForm form={form} />
}

function Plan() {
  const form = useSchemaForm({ operation: plansCreate, send: async () => undefined, onDone: () => undefined })
  return (
    <SchemaForm
      form={form}
      verb="Create the plan"
      controls={{ price: { money: ({ currency }) => String(currency || 'eur') } }}
    />
  )
}

export const stories: Stories = {
  'faults of items and fields, after "Save"': () => <Webhook />,
  'money, lists, numbers and JSON': () => <Plan />,
}
