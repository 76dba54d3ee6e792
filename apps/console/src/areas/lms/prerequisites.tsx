import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import type { ControlProps } from '../../ui/schema-form/controls.tsx'
import { Select } from '../../ui/select/select.tsx'
import styles from './editor.module.css'

interface Props extends ControlProps {
  /** The courses that can come first. */
  readonly others: readonly { readonly id: string; readonly title: string }[]
}

/** The courses that come first, by their titles. */
export function Prerequisites({ label, value, onChange, error, others }: Props) {
  const chosen = value as readonly string[]
  const left = others.filter(({ id }) => !chosen.includes(id))
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {chosen.length === 0 && <p className={styles.soft}>{t('None: everybody can begin')}</p>}
      {chosen.map((each) => {
        const title = others.find(({ id }) => id === each)?.title ?? each
        return (
          <div key={each} className={styles.row}>
            <bdi className={styles.grow}>{title}</bdi>
            <Button
              label={t('Remove {name}', { name: title })}
              onPress={() => onChange(chosen.filter((other) => other !== each))}
            >
              {t('Remove')}
            </Button>
          </div>
        )
      })}
      {left.length > 0 ? (
        <Select
          label={t('Add a course')}
          options={[
            { id: '', name: t('Add a course …') },
            ...left.map(({ id, title }) => ({ id, name: title })),
          ]}
          value=""
          onChange={(added) => added !== '' && onChange([...chosen, added])}
          error={error}
        />
      ) : (
        error !== undefined && <p role="alert">{error}</p>
      )}
    </fieldset>
  )
}
