import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Select } from '../../ui/select/select.tsx'
import { FIELDS, faultOf, fieldOf, LEFT_OUT, readCsv, withFields } from './columns.ts'
import styles from './imports.module.css'
import { useUpload } from './queries.ts'

/** Chooses a file, says what its columns are, and tries or imports it. */
export function UploadMembers() {
  const id = useId()
  const { project, side } = useProject()
  const navigate = useNavigate()
  const [file, setFile] = useState<readonly string[][]>()
  const [fields, setFields] = useState<readonly string[]>([])
  const [isBroken, setBroken] = useState(false)
  const upload = useUpload((begun) =>
    navigate({ to: '/$project/$side/imports/$id', params: { project, side, id: begun.id } }),
  )
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return setFile(undefined)
    const text = await chosen.text()
    const rows = rowsOf(text)
    setBroken(rows === undefined)
    setFile(rows)
    setFields(rows?.[0]?.map(fieldOf) ?? [])
  }
  const fault = faultOf(fields)
  const send = (isTrial: boolean) => file && upload.mutate({ file: withFields(file, fields), isTrial })
  return (
    <div className={styles.upload}>
      {upload.error && <ErrorNotice error={upload.error} />}
      <label htmlFor={id} className={styles.label}>
        {t('A CSV file in UTF-8, with commas and a first row of titles')}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        onChange={({ target }) => choose(target.files?.[0])}
      />
      {isBroken && (
        <p role="alert" className={styles.fault}>
          {t('This is not a CSV file: a quote is in the middle of a cell')}
        </p>
      )}
      {file !== undefined && (
        <>
          <ul className={styles.columns}>
            {file[0]?.map((title, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles can be the same, and their places never change.
              <li key={i}>
                <bdi>{title}</bdi>
                <Select
                  label={t('Field of the column {title}', { title })}
                  options={[
                    { id: LEFT_OUT, name: t('Left out') },
                    ...FIELDS.map((field) => ({ id: field, name: field })),
                  ]}
                  value={fields[i] ?? LEFT_OUT}
                  onChange={(field) => setFields(fields.map((each, at) => (at === i ? field : each)))}
                />
              </li>
            ))}
          </ul>
          {fault !== undefined && (
            <p role="alert" className={styles.fault}>
              {fault === 'no email'
                ? t('One column must be the email address')
                : t('Two columns are the same field')}
            </p>
          )}
          <div className={styles.acts}>
            <Button
              kind="primary"
              isDisabled={fault !== undefined}
              isPending={upload.isPending}
              onPress={() => send(true)}
            >
              {t('Try it')}
            </Button>
            <p>{t('Nothing is changed by a trial. It shows what would be created, and every fault.')}</p>
          </div>
          <div className={styles.acts}>
            <Button isDisabled={fault !== undefined} isPending={upload.isPending} onPress={() => send(false)}>
              {t('Import without a trial')}
            </Button>
            <p>{t('Rows without faults become members. No mail is sent.')}</p>
          </div>
        </>
      )}
    </div>
  )
}

/** The rows of a text, or undefined where it is no CSV. */
function rowsOf(text: string): readonly string[][] | undefined {
  try {
    return readCsv(text)
  } catch {
    return undefined
  }
}
