import { useState } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'

type State = 'ready' | 'copied' | 'refused'

/** Puts a text into the clipboard, and says whether the browser allowed it. */
export function CopyButton({ text }: { readonly text: string }) {
  const [state, setState] = useState<State>('ready')
  const copy = async () => {
    // Without https the browser has no clipboard.
    const isDone = await Promise.resolve(navigator.clipboard?.writeText(text).then(() => true)).catch(
      () => false,
    )
    setState(isDone === true ? 'copied' : 'refused')
  }
  return (
    <>
      <Button onPress={copy}>{t('Copy')}</Button>
      <span role="status">
        {state === 'copied' && t('Copied')}
        {state === 'refused' && t('The browser does not allow it: select the text and copy it')}
      </span>
    </>
  )
}
