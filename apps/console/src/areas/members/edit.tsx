import type { MemberChanges } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { membersUpdate } from '../../forms.generated/members.ts'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { type ReadMember, useReadMember } from './queries.ts'

interface Props {
  readonly read: ReadMember
  readonly onClose: () => void
}

/** A member by the fields of its form. Who has no role of their own has the role `member`. */
const valuesOf = ({ value, etag }: ReadMember) => ({
  value: { ...value, role: value.role ?? 'member' },
  etag,
})

/** The API merges metadata: a key that was taken out is sent as null. */
function withRemovedKeys(body: MemberChanges, before: Readonly<Record<string, unknown>>): MemberChanges {
  const { metadata } = body
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return body
  const removed = Object.fromEntries(Object.keys(before).map((key) => [key, null]))
  return { ...body, metadata: { ...removed, ...metadata } }
}

/** Changes a member. Only what differs is sent, for the member as it was read. */
export function EditMember({ read, onClose }: Props) {
  const { id, full_name, email } = read.value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const readMember = useReadMember(id)
  const form = useSchemaForm<MemberChanges>({
    operation: membersUpdate,
    fields: ['email', 'full_name', 'avatar_url', 'status', 'role', 'metadata'],
    read: valuesOf(read),
    readAgain: async () => valuesOf(await readMember()),
    of: id,
    send: (body, options) => client.members.update(id, withRemovedKeys(body, read.value.metadata), options),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'members'] })
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit {name}', { name: full_name || email })}
      verb={t('Save')}
      labels={{
        email: t('Email address'),
        full_name: t('Name'),
        avatar_url: t('Address of the picture'),
        metadata: t('Metadata'),
      }}
      descriptions={{
        role: t('“member”, “admin”, or a role of your own'),
        metadata: t('Fields of your own, as JSON'),
      }}
      onClose={onClose}
    />
  )
}
