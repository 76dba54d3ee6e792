import { useId } from 'react'
import styles from './checkbox.module.css'

interface Props {
  readonly label: string
  readonly name?: string
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
  readonly description?: string | undefined
  /** Why the server refused the value. */
  readonly error?: string | undefined
}

/** Yes or no. It is the browser's own box. */
export function Checkbox({ label, name, isChosen, onChange, description, error }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label}>
        <input
          type="checkbox"
          name={name}
          checked={isChosen}
          onChange={({ target }) => onChange(target.checked)}
          aria-describedby={`${id} ${id}-error`}
          aria-invalid={error !== undefined}
        />
        <span>{label}</span>
      </label>
      <p id={id} className={styles.description}>
        {description}
      </p>
      <p id={`${id}-error`} className={styles.error} role={error === undefined ? undefined : 'alert'}>
        {error}
      </p>
    </div>
  )
}
