import type { FeedbackItem, FeedbackType, FeedbackVisibility } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { TYPES, useAct } from './queries.ts'

interface Props {
  /** Without it, a new one is made. */
  readonly read?: { readonly item: FeedbackItem; readonly etag: string | undefined }
  readonly onClose: () => void
}

/** Adds or changes an item of feedback. */
export function EditItem({ read, onClose }: Props) {
  const { client } = useProject()
  const item = read?.item
  const [type, setType] = useState<string>(item?.type ?? 'feature')
  const [visibility, setVisibility] = useState<string>(item?.visibility ?? 'public')
  const { mutate, isPending, error } = useAct((form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const body = {
      ...{ type: type as FeedbackType, visibility: visibility as FeedbackVisibility },
      message: text('message'),
    }
    if (item !== undefined)
      return client.feedback.update(
        item.id,
        { ...body, title: text('title') || null },
        { ...(read?.etag !== undefined && { ifMatch: read.etag }) },
      )
    return client.feedback.create({
      ...body,
      ...(text('title') !== '' && { title: text('title') }),
      ...(text('email') !== '' && { email: text('email') }),
    })
  }, onClose)
  return (
    <FormDialog
      title={item === undefined ? t('Add an item') : t('Edit the item')}
      verb={item === undefined ? t('Add') : t('Save')}
      isPending={isPending}
      error={error}
      fields={['type', 'title', 'message', 'email', 'visibility']}
      onSubmit={mutate}
      onClose={onClose}
    >
      <TextField
        label={t('Title')}
        name="title"
        defaultValue={item?.title ?? ''}
        autoFocus
        error={faultOf(error, 'title')}
      />
      <TextArea
        label={t('Text')}
        name="message"
        rows={5}
        defaultValue={item?.message ?? ''}
        isRequired
        error={faultOf(error, 'message')}
      />
      <Select
        label={t('Type')}
        isLabelShown
        options={TYPES.map((id) => ({ id, name: t(id) }))}
        value={type}
        onChange={setType}
        error={faultOf(error, 'type')}
      />
      <Select
        label={t('Visibility')}
        isLabelShown
        options={[
          { id: 'public', name: t('Public: everybody sees it and can vote') },
          { id: 'private', name: t('Private: the team and the sender see it') },
        ]}
        value={visibility}
        onChange={setVisibility}
        error={faultOf(error, 'visibility')}
      />
      {item === undefined && (
        <TextField
          label={t('Email address of the sender')}
          name="email"
          type="email"
          error={faultOf(error, 'email')}
        />
      )}
    </FormDialog>
  )
}
