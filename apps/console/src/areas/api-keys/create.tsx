import type { ApiKey } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Checkboxes } from '../../ui/checkboxes/checkboxes.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from './create.module.css'
import { CAPABILITIES, PERMISSIONS } from './rights.ts'

type Type = 'secret' | 'public'
interface ShownKey extends ApiKey {
  readonly key: string
}

const FIELDS = ['name', 'permissions', 'capabilities']

/** Creates a key, and shows it this one time: the dialog ends by "I have saved it" alone. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const { project, side } = useProject()
  const queries = useQueryClient()
  const [type, setType] = useState<Type>('secret')
  const [permissions, setPermissions] = useState<readonly string[]>([])
  const [capabilities, setCapabilities] = useState<readonly string[]>([])
  const create = useMutation({
    mutationFn: async (name: string) => {
      const rights = type === 'secret' ? { permissions } : { capabilities }
      const body = { environment: side, type, name, ...rights }
      return (await callConsole<{ data: ShownKey }>('POST', `/projects/${project}/keys`, { body })).data
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [project, side, 'keys'] }),
    // The key is kept nowhere once its dialog is gone.
    gcTime: 0,
  })
  const { data: made, error, isPending } = create
  if (made !== undefined) return <NewKey made={made} onClose={onClose} />
  return (
    <FormDialog
      title={side === 'live' ? t('Create a live key') : t('Create a test key')}
      verb={t('Create the key')}
      isPending={isPending}
      error={error}
      fields={FIELDS}
      onSubmit={(form) => create.mutate(String(form.get('name')))}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name="name"
        description={t('What uses it, such as “Backend”')}
        isRequired
        autoFocus
        error={faultOf(error, 'name')}
      />
      <Select
        label={t('Type')}
        isLabelShown
        options={[
          { id: 'secret', name: t('Secret: for servers') },
          { id: 'public', name: t('Public: for browsers and apps') },
        ]}
        value={type}
        onChange={(id) => setType(id as Type)}
      />
      {type === 'secret' ? (
        <Checkboxes
          label={t('Permissions')}
          description={t('“admin” includes all others.')}
          options={PERMISSIONS}
          chosen={permissions}
          onChange={setPermissions}
          error={faultOf(error, 'permissions')}
        />
      ) : (
        <Checkboxes
          label={t('Capabilities')}
          description={t('Every public key can log members in.')}
          options={CAPABILITIES}
          chosen={capabilities}
          onChange={setCapabilities}
          error={faultOf(error, 'capabilities')}
        />
      )}
    </FormDialog>
  )
}

interface NewKeyProps {
  readonly made: { readonly name: string; readonly key: string }
  readonly onClose: () => void
}

/** A key that was made, until it is saved. */
export function NewKey({ made, onClose }: NewKeyProps) {
  return (
    <Dialog title={t('The key “{name}”', { name: made.name })} isOpen>
      <p>{t('It is shown this one time. Save it now, where only those who need it can read it.')}</p>
      <code className={styles.key}>{made.key}</code>
      <div className={styles.actions}>
        <CopyButton text={made.key} />
        <Button kind="primary" onPress={onClose}>
          {t('I have saved it')}
        </Button>
      </div>
    </Dialog>
  )
}
