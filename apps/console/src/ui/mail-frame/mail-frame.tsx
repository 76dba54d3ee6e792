import { useState } from 'react'
import styles from './mail-frame.module.css'

/**
 * A mail as its reader sees it. Nothing in it runs, and none of its links leads away. The console allows no styles in
 * attributes, which is all that mails have: they are set one by one, as a script may.
 */
export function MailFrame({ label, html }: { readonly label: string; readonly html: string }) {
  const [isFocused, setFocused] = useState(false)
  return (
    <iframe
      className={styles.frame}
      // No selector tells whether the focus is in a frame.
      data-focused={isFocused}
      title={label}
      // Without allow-scripts nothing runs; the same origin is for setting the styles, and for hearing of the focus.
      sandbox="allow-same-origin"
      srcDoc={html.replaceAll(' style="', ' data-style="')}
      onLoad={({ currentTarget: frame }) => {
        const { contentDocument, contentWindow } = frame
        const styled = contentDocument?.querySelectorAll<HTMLElement>('[data-style]') ?? []
        for (const element of styled) element.style.cssText = element.dataset['style'] ?? ''
        contentWindow?.addEventListener('focus', () => {
          setFocused(true)
          // Browsers scroll to what is within a frame, and not to the frame.
          frame.scrollIntoView({ block: 'nearest' })
        })
        contentWindow?.addEventListener('blur', () => setFocused(false))
      }}
    />
  )
}
