import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isOfConsole, type RecordedCall } from '../../data/recorded-calls.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { Buttons } from '../button/buttons.tsx'
import { CodeBlock } from '../code-block/code-block.tsx'
import { CopyButton } from '../copy-button/copy-button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Select } from '../select/select.tsx'
import styles from './as-code.module.css'
import { codeOf, type Language } from './code-of.ts'

const LANGUAGES: readonly Language[] = ['curl', 'SDK', 'Python']

interface Props {
  readonly calls: readonly RecordedCall[]
  /** What was done last. */
  readonly acts: readonly RecordedCall[]
  readonly onClose: () => void
}

const nameOf = (call: RecordedCall): string => (isOfConsole(call) ? `${call.method} ${call.path}` : call.name)

/** Calls of the API as code of one's own: what a list shows with its filters, what a detail reads, what a form sends. */
export function AsCode({ calls, acts, onClose }: Props) {
  const [language, setLanguage] = useState<Language>('curl')
  const [place, setPlace] = useState(0)
  const all = [...calls, ...acts]
  const call = all[place] ?? all[0]
  const { data: code } = useQuery({
    queryKey: ['code', call],
    queryFn: () => (call ? codeOf(call, location.origin) : null),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const titles = [...calls.map(nameOf), ...acts.map((act) => t('Done: {call}', { call: nameOf(act) }))]
  return (
    <Dialog title={t('Show as code')} isOpen onClose={onClose}>
      <p>
        {call && isOfConsole(call)
          ? t(
              'GUILDHALL_OPERATOR is the access token of an operator: POST /console/api/login answers it. The client library has no call for this.',
            )
          : t('GUILDHALL_KEY is a secret key of this side of the project.')}
      </p>
      {all.length > 1 && (
        <Select
          label={t('Request')}
          options={titles.map((name, i) => ({ id: String(i), name }))}
          value={String(place)}
          onChange={(id) => setPlace(Number(id))}
        />
      )}
      <fieldset className={styles.languages} aria-label={t('Language')}>
        {LANGUAGES.map((each) => (
          <button
            key={each}
            type="button"
            className={styles.language}
            aria-pressed={each === language}
            onClick={() => setLanguage(each)}
          >
            {each}
          </button>
        ))}
      </fieldset>
      {code && <CodeBlock label={language} text={code[language]} />}
      <Buttons>
        {code && <CopyButton text={code[language]} />}
        <Button onPress={onClose}>{t('Close')}</Button>
      </Buttons>
    </Dialog>
  )
}
