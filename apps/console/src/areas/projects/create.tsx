import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole, type Environment, type Project } from '../../data/console-api.ts'
import { faultOf } from '../../data/faults.ts'
import { projectsQuery } from '../../data/keys.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'

const SIDES: readonly Environment[] = ['live', 'test']

/** Makes a project, and copies the settings of both sides of another one into it where that is wanted. */
export function NewProject({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: projects = [] } = useQuery(projectsQuery)
  const [from, setFrom] = useState('')
  // Where copying fails, pressing again does not make a second project.
  const [made, setMade] = useState<Project>()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (name: string) => {
      const data = made ?? (await create(name))
      setMade(data)
      for (const side of from === '' ? [] : SIDES) await copySettings(from, data.id, side)
      return data
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries(projectsQuery)
      await navigate({ to: '/$project/$side/settings/general', params: { project: id, side: 'test' } })
    },
  })
  const known = projects.filter(({ role, state }) => role !== null && state === 'active')
  return (
    <FormDialog
      title={t('Create a project')}
      verb={t('Create the project')}
      isPending={isPending}
      error={error}
      fields={['name']}
      onSubmit={(form) => mutate(String(form.get('name')))}
      onClose={onClose}
    >
      <p>
        {t(
          'A project has members, plans and all their data, on two sides that share nothing: live and test.',
        )}
      </p>
      <TextField label={t('Name')} name="name" isRequired autoFocus error={faultOf(error, 'name')} />
      {known.length > 0 && (
        <Select
          label={t('Settings')}
          isLabelShown
          options={[
            { id: '', name: t('As they are at first') },
            ...known.map(({ id, name }) => ({ id, name: t('As those of {name}, on both sides', { name }) })),
          ]}
          value={from}
          onChange={setFrom}
        />
      )}
    </FormDialog>
  )
}

const create = async (name: string): Promise<Project> =>
  (await callConsole<{ data: Project }>('POST', '/projects', { body: { name } })).data

async function copySettings(from: string, to: string, side: Environment): Promise<void> {
  const { data } = await callConsole<{ data: object }>('GET', `/projects/${from}/settings/${side}`)
  await callConsole('PATCH', `/projects/${to}/settings/${side}`, { body: data })
}
