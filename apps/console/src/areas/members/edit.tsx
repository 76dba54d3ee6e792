import type { MemberChanges, MemberStatus } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from './edit.module.css'
import { type ReadMember, useMember } from './queries.ts'

const FIELDS = ['full_name', 'status', 'role'] as const
type Field = (typeof FIELDS)[number]
type Draft = Readonly<Record<Field, string>>

const STATES: readonly MemberStatus[] = ['active', 'inactive', 'pending']
const nameOf = (field: Field) => ({ full_name: t('Name'), status: t('Status'), role: t('Role') })[field]

const draftOf = ({ member: { full_name, status, role = 'member' } }: ReadMember): Draft => ({
  full_name,
  status,
  role,
})

/** The fields of a draft that differ from another one, with their values. */
const changesOf = (from: Draft, to: Draft): Partial<Draft> =>
  Object.fromEntries(FIELDS.filter((field) => from[field] !== to[field]).map((field) => [field, to[field]]))

interface Props {
  readonly read: ReadMember
  readonly onClose: () => void
}

/**
 * Changes a member. Only what differs is sent, for the member as it was read: where somebody else has changed it since, the
 * form shows what, and takes that over where it is told to.
 */
export function EditMember({ read, onClose }: Props) {
  const { id } = read.member
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const latest = useMember(id)
  const [base, setBase] = useState(read)
  const [draft, setDraft] = useState(draftOf(read))
  const save = useMutation({
    mutationFn: () =>
      client.members.update(id, changesOf(draftOf(base), draft) as MemberChanges, {
        ...(base.etag !== undefined && { ifMatch: base.etag }),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'members'] })
      onClose()
    },
    onError: (error) => {
      if (isConflict(error)) return latest.refetch()
    },
  })
  const change = (field: Field) => (value: string) => setDraft({ ...draft, [field]: value })
  const theirs = changesOf(draftOf(base), latest.data ? draftOf(latest.data) : draftOf(base))
  const takeOver = () => {
    if (latest.data === undefined) return
    setBase(latest.data)
    setDraft({ ...draft, ...theirs })
    save.reset()
  }
  return (
    <FormDialog
      title={t('Edit {name}', { name: read.member.full_name || read.member.email })}
      verb={t('Save')}
      isPending={save.isPending}
      error={isConflict(save.error) ? null : save.error}
      fields={FIELDS}
      onSubmit={() => (Object.keys(changesOf(draftOf(base), draft)).length === 0 ? onClose() : save.mutate())}
      onClose={onClose}
    >
      {isConflict(save.error) && <Conflict from={draftOf(base)} to={theirs} onTakeOver={takeOver} />}
      <TextField
        label={nameOf('full_name')}
        name="full_name"
        value={draft.full_name}
        onChange={change('full_name')}
        autoFocus
        error={faultOf(save.error, 'full_name')}
      />
      <Select
        label={nameOf('status')}
        isLabelShown
        options={STATES.map((state) => ({ id: state, name: t(state) }))}
        value={draft.status}
        onChange={change('status')}
        error={faultOf(save.error, 'status')}
      />
      <TextField
        label={nameOf('role')}
        name="role"
        description={t('“member”, “admin”, or a role of your own')}
        value={draft.role}
        onChange={change('role')}
        error={faultOf(save.error, 'role')}
      />
    </FormDialog>
  )
}

const isConflict = (error: Error | null): boolean =>
  (error as { code?: string } | null)?.code === 'CHANGED_MEANWHILE'

interface ConflictProps {
  readonly from: Draft
  readonly to: Partial<Draft>
  readonly onTakeOver: () => void
}

/** What somebody else has changed while the form was open. */
function Conflict({ from, to, onTakeOver }: ConflictProps) {
  const fields = FIELDS.filter((field) => to[field] !== undefined)
  return (
    <div role="alert" className={styles.conflict}>
      <p>{t('Somebody else has changed this member. Nothing of yours is saved yet.')}</p>
      <ul>
        {fields.map((field) => (
          <li key={field}>
            {nameOf(field)}: <del>{shown(field, from[field])}</del> →{' '}
            <ins>{shown(field, to[field] ?? '')}</ins>
          </li>
        ))}
        {fields.length === 0 && <li>{t('Something that this form does not show')}</li>}
      </ul>
      <Button onPress={onTakeOver}>{t('Load the change')}</Button>
    </div>
  )
}

const shown = (field: Field, value: string) => (field === 'status' ? t(value) : value) || t('None')
