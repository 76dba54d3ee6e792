import styles from '../badge/badge.module.css'

/** A status of HTTP, with a colour that only repeats it. */
export function Status({ status }: { readonly status: number }) {
  const tone = status < 400 ? styles.good : status < 500 ? styles.waiting : styles.bad
  return <span className={`${styles.badge} ${tone}`}>{status}</span>
}
