import type { ReactNode } from 'react'
import styles from './editor.module.css'

interface Props {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}

/** One thing that is so or not. */
export function Check({ isOn, onChange, children }: Props) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      <span>{children}</span>
    </label>
  )
}
