import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { type ReadForm, useFormChange } from './queries.ts'

export type ActName = 'publish' | 'archive' | 'duplicate' | 'delete'

interface Props {
  readonly name: ActName
  readonly read: ReadForm
  readonly onClose: () => void
}

/** Says what an act on a form does, before it is done. */
export function Act({ name, read: { value: form, etag }, onClose }: Props) {
  const { project = '', side = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useFormChange(
    (client): Promise<unknown> => {
      if (name === 'publish') return client.forms.publish(form.id)
      if (name === 'archive') return client.forms.archive(form.id)
      if (name === 'duplicate') return client.forms.duplicate(form.id)
      return client.forms.delete(form.id, { ...(etag !== undefined && { ifMatch: etag }) })
    },
    (made) => {
      onClose()
      if (name === 'delete') return navigate({ to: '/$project/$side/forms', params: { project, side } })
      if (name !== 'duplicate') return undefined
      const { id } = made as { id: string }
      return navigate({ to: '/$project/$side/forms/$id/edit', params: { project, side, id } })
    },
  )
  const { title, verb, effect } = wordsOf(name, form)
  const isNamed = name !== 'delete' || typed.trim() === form.name.trim()
  return (
    <FormDialog
      title={title}
      verb={verb}
      isDanger={name === 'delete' || name === 'archive'}
      isPending={isPending}
      error={error}
      onSubmit={() => isNamed && mutate()}
      onClose={onClose}
    >
      <p>{effect}</p>
      {name === 'delete' && (
        <TextField
          label={t('Type the name “{name}” to confirm', { name: form.name })}
          name="confirm"
          value={typed}
          onChange={setTyped}
          autoFocus
          error={typed !== '' && !isNamed ? t('This is not the name') : undefined}
        />
      )}
    </FormDialog>
  )
}

function wordsOf(name: ActName, { name: called, submission_count = 0, version = 0 }: ReadForm['value']) {
  const submissions = submission_count.toLocaleString()
  switch (name) {
    case 'publish':
      return {
        title: t('Publish “{name}”?', { name: called }),
        verb: t('Publish'),
        effect:
          version === 0
            ? t('Visitors can fill it in from now on.')
            : t('Visitors see the present fields and settings at once, as version {version}.', {
                version: version + 1,
              }),
      }
    case 'archive':
      return {
        title: t('Close “{name}”?', { name: called }),
        verb: t('Close the form'),
        effect: t('It takes no more submissions. The {submissions} that are there stay.', { submissions }),
      }
    case 'duplicate':
      return {
        title: t('Duplicate “{name}”?', { name: called }),
        verb: t('Duplicate'),
        effect: t('The copy is a draft with the same fields, and without submissions.'),
      }
    case 'delete':
      return {
        title: t('Delete “{name}”?', { name: called }),
        verb: t('Delete'),
        effect: t('Its {submissions} submissions and their files are deleted too. This cannot be undone.', {
          submissions,
        }),
      }
  }
}
