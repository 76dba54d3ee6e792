import { qrOf } from '@guildhall/elements/qr'
import { useEffect, useRef } from 'react'
import styles from './factors.module.css'

interface Props {
  readonly text: string
  /** What is read aloud in its place. */
  readonly label: string
}

/** A text as a picture that a telephone reads. It is made in the browser: the key goes nowhere. */
export function QrCode({ text, label }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.replaceChildren(qrOf(text, label)), [text, label])
  return <div ref={place} className={styles.qr} />
}
