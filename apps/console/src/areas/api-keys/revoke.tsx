import type { ApiKey } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'

/** Asks before a key is ended, by its name. */
export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { project, side } = useProject()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => callConsole('DELETE', `/projects/${project}/keys/${apiKey.id}?environment=${side}`),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'keys'] })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('Revoke “{name}”?', { name: apiKey.name })}
      verb={t('Revoke the key')}
      isDanger
      isPending={revoke.isPending}
      error={revoke.error}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        <code>{apiKey.prefix}…</code>
      </p>
      <p>{t('Whatever uses this key is refused within a second. This cannot be undone.')}</p>
    </FormDialog>
  )
}
