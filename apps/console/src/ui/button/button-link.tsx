import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './button.module.css'

interface Props extends Pick<LinkProps, 'to' | 'params'> {
  readonly kind?: 'primary' | 'plain'
  readonly children: ReactNode
}

/** Leads to another screen, and looks like a button: it stands beside what is done here. */
export function ButtonLink({ kind = 'plain', children, ...to }: Props) {
  return (
    <Link {...to} className={`${styles.button} ${styles[kind]}`}>
      {children}
    </Link>
  )
}
