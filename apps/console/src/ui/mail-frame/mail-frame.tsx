import styles from './mail-frame.module.css'

/**
 * A mail as its reader sees it. Nothing in it runs, and none of its links leads away. The console allows no styles in
 * attributes, which is all that mails have: they are set one by one, as a script may.
 */
export function MailFrame({ label, html }: { readonly label: string; readonly html: string }) {
  return (
    <iframe
      className={styles.frame}
      title={label}
      // Without allow-scripts nothing runs; the same origin is for setting the styles.
      sandbox="allow-same-origin"
      srcDoc={html.replaceAll(' style="', ' data-style="')}
      onLoad={({ currentTarget }) => {
        const styled = currentTarget.contentDocument?.querySelectorAll<HTMLElement>('[data-style]') ?? []
        for (const element of styled) element.style.cssText = element.dataset['style'] ?? ''
      }}
    />
  )
}
