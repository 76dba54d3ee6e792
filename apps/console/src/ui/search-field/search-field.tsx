import { useEffect, useRef, useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import styles from './search-field.module.css'

/** Milliseconds without a key before the list is asked for. */
const PAUSE_MS = 250

interface Props {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Searches a list while somebody types. */
export function SearchField({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const latest = useRef(onSearch)
  latest.current = onSearch
  // The address may be changed by something else, such as "back".
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => latest.current(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <AriaSearchField aria-label={label} value={text} onChange={setText} onSubmit={onSearch}>
      <Input className={styles.input} placeholder={label} size={label.length} />
    </AriaSearchField>
  )
}
