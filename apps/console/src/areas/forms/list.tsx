import type { FormFieldInput, FormListItem, FormType, NewForm } from '@guildhall/sdk'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useFormChange, useForms } from './queries.ts'
import { FORM_TYPES, formTypeName } from './words.ts'

const columnsOf = (): Column<FormListItem>[] => [
  { title: t('Name'), cell: ({ name }) => <bdi>{name}</bdi>, sort: 'name' },
  { title: t('Purpose'), cell: ({ type }) => formTypeName(type) },
  { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
  {
    title: t('Submissions'),
    cell: ({ submission_count }) => submission_count.toLocaleString(spokenLanguage()),
    isNumber: true,
  },
  {
    title: t('Changed'),
    cell: ({ updated_at }) => <Time at={updated_at} />,
    sort: 'updated_at',
    hideBelow: 700,
  },
  {
    title: t('Created'),
    cell: ({ created_at }) => <Time at={created_at} />,
    sort: 'created_at',
    hideBelow: 850,
  },
]

export function FormList() {
  const list = useForms()
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const create = canChange && (
    <Button kind="primary" onPress={() => setCreating(true)}>
      {t('Create a form')}
    </Button>
  )
  return (
    <>
      <ListScreen
        title={t('Forms')}
        list={list}
        searchLabel={t('Search forms')}
        dates={t('Created')}
        filters={[
          { name: 'status', label: t('Status'), values: ['draft', 'published', 'archived'] },
          { name: 'type', label: t('Purpose'), values: FORM_TYPES, titleOf: formTypeName },
        ]}
        actions={create}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/forms/$id', params: { ...list.params, id } })}
        columns={columnsOf()}
        empty={
          <Empty title={t('There are no forms yet')}>
            {t('Visitors of your site fill in a form; what they send appears here.')}
            {create}
          </Empty>
        }
      />
      {isCreating && <CreateForm onClose={() => setCreating(false)} />}
    </>
  )
}

/** A new form is a draft with the fields that its purpose needs. */
function CreateForm({ onClose }: { readonly onClose: () => void }) {
  const [type, setType] = useState<FormType>('contact')
  const { project = '', side = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mutate, isPending, error } = useFormChange(
    (client, name: string) => client.forms.create({ name, type, ...beginningOf(type) }),
    ({ id }) => navigate({ to: '/$project/$side/forms/$id/edit', params: { project, side, id } }),
  )
  return (
    <FormDialog
      title={t('Create a form')}
      verb={t('Create')}
      isPending={isPending}
      error={error}
      fields={['name', 'type']}
      onSubmit={(form) => mutate(String(form.get('name')))}
      onClose={onClose}
    >
      <TextField label={t('Name')} name="name" isRequired autoFocus error={faultOf(error, 'name')} />
      <Select
        label={t('Purpose')}
        isLabelShown
        options={FORM_TYPES.map((id) => ({ id, name: formTypeName(id) }))}
        value={type}
        onChange={(id) => setType(id as FormType)}
        error={faultOf(error, 'type')}
      />
      <p>{t('It is a draft until you publish it.')}</p>
    </FormDialog>
  )
}

/** What forms of each purpose begin with. */
function beginningOf(type: FormType): Pick<NewForm, 'fields' | 'settings'> {
  const email: FormFieldInput = { id: 'email', type: 'email', label: t('Email address'), required: true }
  const message: FormFieldInput = { id: 'message', type: 'textarea', label: t('Message'), required: true }
  switch (type) {
    case 'contact':
      return { fields: [email, message] }
    case 'feedback':
      return {
        fields: [{ id: 'rating', type: 'rating', label: t('How do you like it?'), required: true }, message],
      }
    case 'signup':
      return {
        fields: [
          email,
          { id: 'password', type: 'password', label: t('Password'), required: true },
          { id: 'name', type: 'text', label: t('Name') },
        ],
        settings: {
          signup: { email_field: 'email', password_field: 'password', full_name_field: 'name' },
        },
      }
    case 'custom':
      return { fields: [] }
  }
}
