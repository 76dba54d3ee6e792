import { useRef, useSyncExternalStore } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { presentToasts, type Toast, whenToastsChange } from './undo.ts'
import styles from './undo-toasts.module.css'

/**
 * What was just done, with "Undo". It is said to readers of screens and takes no focus; its time stands still while the focus or the
 * pointer is on it. When it goes with the focus, the focus returns to where it was.
 */
export function UndoToasts() {
  const toasts = useSyncExternalStore(whenToastsChange, presentToasts)
  const before = useRef<HTMLElement>(null)
  const place = useRef<HTMLElement>(null)
  const leave = () => {
    // Its button goes with it.
    if (!place.current?.contains(document.activeElement)) return
    const back = before.current?.isConnected ? before.current : document.getElementById('screen')
    back?.focus()
  }
  return (
    <section
      ref={place}
      aria-label={t('What was just done')}
      className={styles.toasts}
      onFocus={({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !place.current?.contains(relatedTarget))
          before.current = relatedTarget
      }}
    >
      <div role="status" className={styles.list}>
        {toasts.map((toast) => (
          <OneToast key={toast.id} toast={toast} onLeave={leave} />
        ))}
      </div>
    </section>
  )
}

function OneToast({ toast, onLeave }: { readonly toast: Toast; readonly onLeave: () => void }) {
  const { text, state, undo, dismiss, hold } = toast
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but stop its time.
    <div
      className={`${styles.toast} ${state === 'refused' ? styles.refused : ''}`}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <p>{state === 'taken-back' ? t('Taken back: {text}', { text }) : text}</p>
      {state === 'waiting' && (
        <Button
          onPress={() => {
            onLeave()
            undo()
          }}
        >
          {t('Undo')}
        </Button>
      )}
      <Button
        kind="quiet"
        label={t('Close')}
        onPress={() => {
          onLeave()
          dismiss()
        }}
      >
        ✕
      </Button>
    </div>
  )
}
