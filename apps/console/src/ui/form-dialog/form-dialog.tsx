import type { ReactNode } from 'react'
import { Form } from 'react-aria-components/Form'
import { isOnFields } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { ErrorNotice } from '../notice/notice.tsx'
import styles from './form-dialog.module.css'
import { useOnce } from './once.ts'

interface Props {
  readonly title: string
  /** What the button says that does it, such as "Revoke". */
  readonly verb: string
  /** It cannot be undone. */
  readonly isDanger?: boolean
  readonly isPending: boolean
  readonly error: Error | null
  /** The fields of the body that show their own faults. */
  readonly fields?: readonly string[]
  /** At the start of the line of its buttons. */
  readonly beside?: ReactNode
  readonly onSubmit: (form: FormData) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form over the screen, or a question before something is done. Escape and "Cancel" leave it, unless it is being done. */
export function FormDialog({
  title,
  verb,
  isDanger = false,
  isPending,
  error,
  fields = [],
  beside,
  onSubmit,
  onClose,
  children,
}: Props) {
  const once = useOnce()
  return (
    <Dialog title={title} isOpen {...(!isPending && { onClose })}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          // For React it stands in the form that has opened it, which is not sent.
          event.stopPropagation()
          if (!isPending) once(() => onSubmit(new FormData(event.currentTarget)))
        }}
      >
        {error && !isOnFields(error, fields) && <ErrorNotice error={error} />}
        {children}
        <div className={styles.actions}>
          {beside && <div className={styles.beside}>{beside}</div>}
          <Button isDisabled={isPending} onPress={onClose}>
            {t('Cancel')}
          </Button>
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" isPending={isPending}>
            {verb}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
