import type { ApiKey, RotatedApiKey } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { NewKey } from './create.tsx'

const HOUR = 3_600
const graces = () => [
  { id: '0', name: t('It ends now') },
  { id: String(HOUR), name: t('For one hour') },
  { id: String(24 * HOUR), name: t('For one day') },
  { id: String(7 * 24 * HOUR), name: t('For seven days') },
]

/** Replaces a key with one of the same rights, which is shown this one time. */
export function RotateKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const [grace, setGrace] = useState(String(24 * HOUR))
  const rotate = useMutation({
    mutationFn: async (): Promise<RotatedApiKey> =>
      client.apiKeys.rotate(apiKey.id, { grace_seconds: Number(grace) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [project, side, 'keys'] }),
    // The key is kept nowhere once its dialog is gone.
    gcTime: 0,
  })
  const { data: made, error, isPending } = rotate
  if (made !== undefined) return <NewKey made={made} onClose={onClose} />
  return (
    <FormDialog
      title={t('Replace “{name}”?', { name: apiKey.name })}
      verb={t('Replace the key')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        <code>{apiKey.prefix}…</code>
      </p>
      <Select
        label={t('How long the old key still works')}
        isLabelShown
        options={graces()}
        value={grace}
        onChange={setGrace}
      />
      <p>
        {grace === '0'
          ? t('Whatever uses the old key is refused within a second. The new key has the same rights.')
          : t('The old key ends by itself after this time. The new key has the same rights.')}
      </p>
    </FormDialog>
  )
}
