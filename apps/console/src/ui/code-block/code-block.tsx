import styles from './code-block.module.css'

/** A text of a program, as it is: never as HTML. It is scrolled with the keyboard too. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keyboard.
    <section className={styles.block} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}
