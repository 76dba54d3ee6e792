import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { callsOf, type RecordedCall, whenCallsChange } from '../../data/recorded-calls.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'

const AsCode = lazy(() => import('./as-code.tsx').then(({ AsCode: component }) => ({ default: component })))

/** Shows what the present screen asks the API for. @param scope another one than the path of the screen: the key of a list */
export function ScreenCodeButton({ scope = location.pathname }: { readonly scope?: string | undefined }) {
  return <CodeButton calls={useSyncExternalStore(whenCallsChange, () => callsOf(scope))} />
}

/** Shows calls as code; nothing where there is none that a key can make. */
export function CodeButton({ calls }: { readonly calls: readonly RecordedCall[] }) {
  const [isOpen, setOpen] = useState(false)
  if (calls.length === 0) return null
  return (
    <>
      <Button kind="quiet" label={t('Show as code')} onPress={() => setOpen(true)}>
        {'</>'}
      </Button>
      <Suspense>{isOpen && <AsCode calls={calls} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
