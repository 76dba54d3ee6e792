import { type RefObject, useEffect, useRef } from 'react'

const KEYS = new Set(['j', 'k', 'a', 'r', 's', 'h', 'x', 'u'])

interface Options {
  /** While a dialog is open, keys are its own. */
  readonly isPaused: boolean
  readonly act: (key: string) => void
}

/** Single keys for the cases of the queue. They act where the focus is on a case or nowhere, never while somebody types. */
export function useCaseKeys(frame: RefObject<HTMLElement | null>, { isPaused, act }: Options): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (isPaused) return
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.ctrlKey || event.metaKey || event.altKey || !KEYS.has(key)) return
      const isHere = target === document.body || frame.current?.contains(target as Node) === true
      if (!isHere) return
      event.preventDefault()
      latest.current(key)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [frame, isPaused])
}
