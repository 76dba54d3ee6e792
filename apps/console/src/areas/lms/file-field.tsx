import { type FileVisibility, uploadFile } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import buttonStyles from '../../ui/button/button.module.css'
import { Button } from '../../ui/button/button.tsx'
import { Bytes } from '../../ui/bytes/bytes.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import type { ControlProps } from '../../ui/schema-form/controls.tsx'
import styles from './editor.module.css'

interface Props extends Pick<ControlProps, 'label' | 'value' | 'onChange' | 'error'> {
  readonly accept: readonly string[]
  readonly visibility?: FileVisibility
}

/** The id of one file, which is uploaded when it is chosen and used when the form is saved. */
export function FileField({ label, accept, visibility = 'private', value, onChange, error }: Props) {
  const { client } = useProject()
  const [share, setShare] = useState<number>()
  const [failed, setFailed] = useState<Error>()
  const id = typeof value === 'string' ? value : ''
  const upload = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    setFailed(undefined)
    setShare(0)
    try {
      const file = await uploadFile(client, chosen, { visibility, onProgress: setShare })
      onChange(file.id)
    } catch (cause) {
      setFailed(cause as Error)
    } finally {
      setShare(undefined)
    }
  }
  return (
    <fieldset className={styles.upload}>
      <legend>{label}</legend>
      {id === '' ? <p className={styles.soft}>{t('No file yet')}</p> : <StoredFile id={id} />}
      {share !== undefined && (
        <progress value={share} max={1} aria-label={label}>
          {Math.round(share * 100)} %
        </progress>
      )}
      {failed && <ErrorNotice error={failed} />}
      {error !== undefined && (
        <p role="alert" data-fault className={styles.fault}>
          {error}
        </p>
      )}
      <div className={styles.actions}>
        <FileTrigger acceptedFileTypes={[...accept]} onSelect={(files) => upload(files?.[0])}>
          <AriaButton
            className={buttonStyles.button ?? ''}
            aria-label={t('Upload a file: {name}', { name: label })}
            isDisabled={share !== undefined}
          >
            {t('Upload a file')}
          </AriaButton>
        </FileTrigger>
        {id !== '' && (
          <Button label={t('Use no file: {name}', { name: label })} onPress={() => onChange('')}>
            {t('Use no file')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

/** A file by its name, which leads to its screen. */
function StoredFile({ id }: { readonly id: string }) {
  const { project, side, client } = useProject()
  const { data: file } = useQuery({
    queryKey: [project, side, 'files', id, 'name'],
    queryFn: ({ signal }) => client.storage.files.get(id, {}, { signal }),
  })
  return (
    <p className={styles.file}>
      <Link to="/$project/$side/files/$id" params={{ project, side, id }}>
        <bdi>{file?.name ?? id}</bdi>
      </Link>{' '}
      {file && (
        <span className={styles.soft}>
          <Bytes bytes={file.size} />
        </span>
      )}
    </p>
  )
}
