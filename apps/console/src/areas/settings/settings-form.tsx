import { t } from '../../data/words.ts'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import type { FieldTexts } from '../../ui/schema-form/field.tsx'
import { settingsUpdate } from './operations.ts'
import { PartForm } from './part-form.tsx'
import { useSettings } from './queries.ts'

interface Props extends FieldTexts {
  /** The names of the settings, in their order. */
  readonly fields: readonly string[]
}

/** Some of the settings of the present side. */
export function SettingsForm({ fields, ...texts }: Props) {
  const { data, error, refetch, readAgain, save } = useSettings()
  if (data === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <PartForm
      operation={settingsUpdate}
      fields={fields}
      of={fields.join()}
      read={data}
      readAgain={readAgain}
      send={save}
      {...texts}
    />
  )
}
