import { useId } from 'react'
import styles from './checkboxes.module.css'

interface Props {
  readonly label: string
  readonly description?: string
  /** Their values, which are also their names. */
  readonly options: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  /** Why the server refused the choice. */
  readonly error?: string | undefined
}

/** Several of many words of the API, such as permissions. */
export function Checkboxes({ label, description, options, chosen, onChange, error }: Props) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-describedby={`${id} ${id}-error`}>
      <legend className={styles.label}>{label}</legend>
      <p id={id} className={styles.description}>
        {description}
      </p>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option} className={styles.option}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))
              }
            />
            <code>{option}</code>
          </label>
        ))}
      </div>
      <p id={`${id}-error`} className={styles.error} role={error === undefined ? undefined : 'alert'}>
        {error}
      </p>
    </fieldset>
  )
}
