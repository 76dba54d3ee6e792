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
