import { uploadFile } from '@guildhall/sdk'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import buttonStyles from '../../ui/button/button.module.css'
import { Button } from '../../ui/button/button.tsx'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import styles from './editor.module.css'

/** A file of the project, as a field shows it. */
export interface KeptFile {
  readonly id: string
  readonly name: string
  readonly size: number
  /** Where it is read for an hour; none of one that was uploaded just now. */
  readonly url?: string
}

interface Props {
  readonly label: string
  readonly accept: readonly string[]
  readonly file: KeptFile | null
  readonly onChange: (file: KeptFile | null) => void
  readonly canChange: boolean
  readonly error: string | undefined
}

/** One file, which is uploaded when it is chosen and used when the form is saved. */
export function FileField({ label, accept, file, onChange, canChange, error }: Props) {
  const { client } = useProject()
  const [share, setShare] = useState<number>()
  const [failed, setFailed] = useState<Error>()
  const upload = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    setFailed(undefined)
    setShare(0)
    try {
      const { id, name, size } = await uploadFile(client, chosen, {
        visibility: 'private',
        onProgress: setShare,
      })
      onChange({ id, name, size })
    } catch (cause) {
      setFailed(cause as Error)
    } finally {
      setShare(undefined)
    }
  }
  return (
    <div className={styles.form}>
      {file === null ? (
        <p className={styles.soft}>{t('No file yet')}</p>
      ) : (
        <p className={styles.file}>
          {file.url === undefined ? (
            <bdi>{file.name}</bdi>
          ) : (
            <a href={file.url} target="_blank" rel="noopener noreferrer">
              <bdi>{file.name}</bdi>
            </a>
          )}{' '}
          <span className={styles.soft}>{bytesInWords(file.size)}</span>
        </p>
      )}
      {share !== undefined && (
        <progress value={share} max={1} aria-label={label}>
          {Math.round(share * 100)} %
        </progress>
      )}
      {failed && <ErrorNotice error={failed} />}
      {error !== undefined && <p role="alert">{error}</p>}
      {canChange && (
        <div className={styles.actions}>
          <FileTrigger acceptedFileTypes={[...accept]} onSelect={(files) => upload(files?.[0])}>
            <AriaButton className={buttonStyles.button ?? ''} isDisabled={share !== undefined}>
              {label}
            </AriaButton>
          </FileTrigger>
          {file !== null && <Button onPress={() => onChange(null)}>{t('Use no file')}</Button>}
        </div>
      )}
    </div>
  )
}
