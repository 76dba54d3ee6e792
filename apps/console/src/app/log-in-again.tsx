import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../data/keys.ts'
import { t } from '../data/words.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { LogIn } from './log-in.tsx'

/** The log-in over a screen whose session has ended. */
export function LogInAgain({ onDone }: { readonly onDone: () => void }) {
  return (
    <Dialog title={t('Your session has ended')} isOpen>
      <p>{t('Log in again. What you have typed is kept.')}</p>
      <LogIn onDone={onDone} />
    </Dialog>
  )
}

interface ProveProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

/** The log-in over an act that cannot be undone, which goes on after it. Escape leaves both. */
export function ProveAgain({ onDone, onClose }: ProveProps) {
  const { data: me } = useQuery(meQuery)
  return (
    <Dialog title={t('Prove that it is you')} isOpen onClose={onClose}>
      <p>{t('This needs a log-in of the last 10 minutes. It is done as soon as you have logged in.')}</p>
      <LogIn onDone={onDone} email={me?.email} />
    </Dialog>
  )
}
