import { uploadFile } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import styles from './files.module.css'

interface Running {
  readonly key: string
  readonly name: string
  /** From 0 to 1. */
  readonly share: number
  readonly error?: Error
}

/** Uploads files that somebody chooses, one after another, and shows how far they are. */
export function Upload() {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Running[]>([])
  const [controller, setController] = useState<AbortController>()
  const isRunning = uploads.some(({ share, error }) => share < 1 && error === undefined)
  const set = (key: string, changes: Partial<Running>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...changes } : each)))

  const uploadAll = async (chosen: readonly File[]) => {
    const ending = new AbortController()
    const named = chosen.map((file, i) => ({ file, key: `${i} ${file.name}` }))
    setController(ending)
    setUploads(named.map(({ key, file: { name } }) => ({ key, name, share: 0 })))
    for (const { file, key } of named) {
      await uploadFile(client, file, {
        signal: ending.signal,
        // The last step is done when the API has the file.
        onProgress: (share) => set(key, { share: Math.min(share, 0.99) }),
      }).then(
        () => set(key, { share: 1 }),
        (error: Error) => set(key, { error: ending.signal.aborted ? new Error(t('Not uploaded')) : error }),
      )
    }
    await queries.invalidateQueries({ queryKey: [project, side, 'files'] })
  }

  return (
    <>
      <FileTrigger
        allowsMultiple
        onSelect={(files) => files && files.length > 0 && void uploadAll([...files])}
      >
        <Button kind="primary">{t('Upload files')}</Button>
      </FileTrigger>
      <Dialog
        title={t('Upload files')}
        isOpen={uploads.length > 0}
        {...(!isRunning && { onClose: () => setUploads([]) })}
      >
        <ul className={styles.uploads} aria-live="polite">
          {uploads.map(({ key, name, share, error }) => (
            <li key={key} className={styles.upload}>
              <bdi className={styles.name}>{name}</bdi>
              <progress aria-label={name} max={1} value={error === undefined ? share : 0} />
              <span>{share === 1 ? t('Done') : `${Math.round(share * 100)} %`}</span>
              {error && <ErrorNotice error={error} />}
            </li>
          ))}
        </ul>
        <div>
          {isRunning ? (
            <Button onPress={() => controller?.abort()}>{t('Cancel')}</Button>
          ) : (
            <Button kind="primary" onPress={() => setUploads([])}>
              {t('Close')}
            </Button>
          )}
        </div>
      </Dialog>
    </>
  )
}
