import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import styles from './button.module.css'

interface Props {
  readonly children: ReactNode
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly isDisabled?: boolean
  /** What it does is under way: it cannot be pressed again. */
  readonly isPending?: boolean
  readonly onPress?: () => void
  /** Called when somebody is about to press it: the pointer or the focus is on it. */
  readonly onIntent?: () => unknown
  /** The name, where its content is an icon. */
  readonly label?: string
}

export function Button({ children, kind = 'plain', label, onIntent, ...props }: Props) {
  return (
    <AriaButton
      {...props}
      {...(label !== undefined && { 'aria-label': label })}
      {...(onIntent && { onHoverStart: onIntent, onFocus: onIntent })}
      className={`${styles.button} ${styles[kind]}`}
    >
      {children}
    </AriaButton>
  )
}
