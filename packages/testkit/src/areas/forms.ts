import type { Form, NewForm } from '#areas/forms/schema.ts'
import type { Receipt } from '#areas/forms/submissions/schema.ts'
import type { Answer } from '../api.ts'
import type { Side } from '../factories.ts'

const CONTACT: NewForm = {
  name: 'Contact',
  type: 'contact',
  fields: [
    { id: 'email', type: 'email', label: 'Your email', required: true },
    { id: 'message', type: 'textarea', label: 'Message' },
  ],
}

const taken = <T>({ status, body }: Answer<{ data: T }>): T => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}

/** A form that is published; a contact form unless stated otherwise. */
export async function makeForm(side: Side, input: Partial<NewForm> = {}): Promise<Form> {
  const { id } = taken(await side.admin.post<{ data: Form }>('/forms', { ...CONTACT, ...input }))
  return taken(await side.admin.post<{ data: Form }>(`/forms/${id}/publish`))
}

/** A submission of the project's newest form, which is a contact form that is made where there is none. */
export async function submitForm(side: Side): Promise<Receipt> {
  const { body } = await side.admin.get<{ data: { id: string }[] }>('/forms?limit=1&status=published')
  const id = body.data[0]?.id ?? (await makeForm(side)).id
  const data = { email: 'ada@example.com', message: 'Hello' }
  return taken(await side.admin.post<{ data: Receipt }>(`/forms/${id}/submissions`, { data }))
}
