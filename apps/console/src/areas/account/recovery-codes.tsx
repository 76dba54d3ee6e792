import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import styles from './factors.module.css'

interface Props {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Codes that log in once each where the app is lost. They are shown this one time: the dialog ends by its button alone. */
export function RecoveryCodes({ codes, onClose }: Props) {
  return (
    <Dialog title={t('Recovery codes')} isOpen>
      <p>
        {t(
          'Each of them logs you in once where you have lost the app. They are shown this one time: save them now.',
        )}
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyButton text={codes.join('\n')} />
        <Button kind="primary" onPress={onClose}>
          {t('I have saved them')}
        </Button>
      </div>
    </Dialog>
  )
}
