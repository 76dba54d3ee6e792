import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'

interface Props {
  readonly count: number
  readonly onRemove: (reason: string) => void
  readonly onClose: () => void
}

/** Asks why posts are removed: their authors read it. */
export function RemoveCases({ count, onRemove, onClose }: Props) {
  return (
    <FormDialog
      title={t('Remove {count} {count:post|posts}?', { count })}
      verb={t('Remove')}
      isDanger
      isPending={false}
      error={null}
      onSubmit={(form) => {
        const reason = String(form.get('reason') ?? '').trim()
        if (reason !== '') onRemove(reason)
      }}
      onClose={onClose}
    >
      <p>{t('Nobody but your team sees them any more. Authors are told, and can appeal.')}</p>
      <TextArea
        label={t('Reason')}
        name="reason"
        description={t('The author reads it')}
        rows={2}
        maxLength={500}
        isRequired
        autoFocus
      />
    </FormDialog>
  )
}
