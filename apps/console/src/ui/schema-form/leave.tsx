import { useBlocker } from '@tanstack/react-router'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import styles from './schema-form.module.css'

interface QuestionProps {
  /** What the button says that leaves. */
  readonly verb: string
  readonly onStay: () => void
  readonly onLeave: () => void
  readonly children: string
}

/** Asks before what was typed is left. Escape stays. */
export function LeaveQuestion({ verb, onStay, onLeave, children }: QuestionProps) {
  return (
    <Dialog title={t('There are changes that are not saved')} isOpen onClose={onStay}>
      <p>{children}</p>
      <div className={styles.actions}>
        <Button kind="primary" onPress={onStay}>
          {t('Keep editing')}
        </Button>
        <Button kind="danger" onPress={onLeave}>
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}

/** Asks before a screen with changes is left; the browser asks before its tab is closed. */
export function LeaveGuard({ mustAsk }: { readonly mustAsk: () => boolean }) {
  const blocker = useBlocker({
    // Another page of a list or another tab of the same screen leaves nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustAsk(),
    enableBeforeUnload: mustAsk,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <LeaveQuestion verb={t('Leave')} onStay={blocker.reset} onLeave={blocker.proceed}>
      {t('What you have typed stays in this tab as a draft, which is offered when you come back.')}
    </LeaveQuestion>
  )
}
