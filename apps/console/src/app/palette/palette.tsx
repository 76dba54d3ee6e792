import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../data/words.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { type Entry, useEntries } from './entries.ts'
import styles from './palette.module.css'

/** Opens what is pasted or typed: an id, an address, a number, a name, a screen, or something to do. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { entries, error, isSearching } = useEntries(text, onClose)
  const at = Math.min(chosen, Math.max(0, entries.length - 1))
  // A text that was pasted and sent at once waits for its answer.
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    if (!isSent || isSearching) return
    setSent(false)
    entries[0]?.onChoose()
  }, [isSent, isSearching, entries])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      setChosen((at + step + entries.length) % entries.length)
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (isSearching) setSent(true)
    else entries[at]?.onChoose()
  }
  const optionId = (n: number) => `${id}-${n}`
  return (
    <Dialog title={t('Find or do')} isOpen onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        className={styles.input}
        placeholder={t('An id, an address, a number, a name, a screen …')}
        aria-label={t('Find or do')}
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(entries.length > 0 && { 'aria-activedescendant': optionId(at) })}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setChosen(0)
          setSent(false)
        }}
        onKeyDown={onKeyDown}
      />
      {error && <ErrorNotice error={error} />}
      <Options {...{ id, entries, at, optionId }} />
      <p role="status" className={styles.status}>
        {isSearching ? t('Searching …') : entries.length === 0 ? t('Nothing matches') : ''}
      </p>
    </Dialog>
  )
}

interface OptionsProps {
  readonly id: string
  readonly entries: readonly Entry[]
  readonly at: number
  readonly optionId: (n: number) => string
}

function Options({ id, entries, at, optionId }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label={t('What fits')} className={styles.list}>
      {entries.map(({ key, title, kind, onChoose }, n) => (
        <div
          key={key}
          id={optionId(n)}
          role="option"
          tabIndex={-1}
          aria-selected={n === at}
          className={styles.option}
          // The focus stays in the field.
          onPointerDown={(event) => event.preventDefault()}
          onPointerUp={onChoose}
        >
          <bdi className={styles.title}>{title}</bdi>
          <span className={styles.kind}>{kind}</span>
        </div>
      ))}
    </div>
  )
}
