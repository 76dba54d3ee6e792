import { useId } from 'react'
import styles from './select.module.css'

interface Option {
  readonly id: string
  readonly name: string
}

interface Props {
  readonly label: string
  /** The label is seen, and not only heard. */
  readonly isLabelShown?: boolean
  readonly options: readonly Option[]
  readonly value: string
  readonly onChange: (id: string) => void
  readonly description?: string | undefined
  /** Why the server refused the value. */
  readonly error?: string | undefined
}

/** One of several. It is the browser's own list, which every phone and every reader of screens knows. */
export function Select({ label, isLabelShown = false, options, value, onChange, description, error }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      {isLabelShown && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      <select
        id={id}
        {...(!isLabelShown && { 'aria-label': label })}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-about ${id}-error`}
        {...(error !== undefined && { 'aria-invalid': true })}
        className={styles.select}
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
      {description !== undefined && (
        <p id={`${id}-about`} className={styles.description}>
          {description}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
