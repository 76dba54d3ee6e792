import { t } from '../../data/words.ts'
import styles from './editor.module.css'

/** What a change does to those who are enrolled, before it is saved. */
export function Effects({ said }: { readonly said: readonly string[] }) {
  if (said.length === 0) return null
  return (
    <div role="status" className={styles.preview}>
      <p>{t('What the change does:')}</p>
      <ul>
        {said.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  )
}
