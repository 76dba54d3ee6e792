import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import styles from './editor.module.css'

/** Somebody else has changed what this form shows. */
export function Conflict({ onLoad }: { readonly onLoad: () => void }) {
  return (
    <div role="alert" className={styles.conflict}>
      <p>{t('Somebody else has changed this meanwhile. Nothing of yours is saved yet.')}</p>
      <p>{t('Load the change: fields that you have changed keep what you typed.')}</p>
      <Button onPress={onLoad}>{t('Load the change')}</Button>
    </div>
  )
}
