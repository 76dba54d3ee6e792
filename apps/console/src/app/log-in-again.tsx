import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../data/keys.ts'
import { t } from '../data/words.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Passkey, SingleSignOn } from './entry/other-ways.tsx'
import { LogIn } from './log-in.tsx'

/** The log-in over a screen whose session has ended. */
export function LogInAgain({ onDone }: { readonly onDone: () => void }) {
  const [factor, setFactor] = useState<string>()
  // Who was logged in: there is no session to ask with.
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  return (
    <Dialog title={t('Your session has ended')} isOpen>
      <p>{t('Log in again. What you have typed is kept.')}</p>
      <LogIn key={factor} onDone={onDone} email={me?.email} mfaToken={factor} />
      {factor === undefined && (
        <>
          <Passkey onDone={onDone} onFactor={setFactor} />
          <SingleSignOn />
        </>
      )}
    </Dialog>
  )
}
