import { t } from '../../data/words.ts'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import styles from './files.module.css'
import { useUsage } from './queries.ts'

/** How much of the quota is used. */
export function Quota() {
  const { data: usage } = useUsage()
  if (usage === undefined) return null
  const { bytes, files, quota_bytes } = usage
  const words = t('{used} of {quota} used, {files} {files:file|files}', {
    used: bytesInWords(bytes),
    quota: bytesInWords(quota_bytes),
    files: files,
  })
  return (
    <div className={styles.quota}>
      <meter
        aria-label={t('Storage')}
        min={0}
        max={quota_bytes}
        high={quota_bytes * 0.9}
        value={bytes}
        className={styles.meter}
      />
      <p>{words}</p>
    </div>
  )
}
