import { useId } from 'react'
import styles from './checkboxes.module.css'

interface Props {
  readonly label: string
  readonly description?: string
  readonly options: readonly string[]
  /** What a value is called, where it is not itself its name. */
  readonly titleOf?: (option: string) => string
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  /** Why the server refused the choice. */
  readonly error?: string | undefined
}

/** Several of many words of the API, such as permissions. */
export function Checkboxes({ label, description, options, titleOf, chosen, onChange, error }: Props) {
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
            {titleOf ? <span>{titleOf(option)}</span> : <code>{option}</code>}
          </label>
        ))}
      </div>
      <p id={`${id}-error`} className={styles.error} role={error === undefined ? undefined : 'alert'}>
        {error}
      </p>
    </fieldset>
  )
}
