import { useRef } from 'react'

/**
 * Keys for an act that must be done once: the same input has the same key for as long as its dialog is open, so that a second
 * try after a lost answer repeats nothing.
 */
export function useActKey(): (input: unknown) => string {
  const keys = useRef(new Map<string, string>())
  return (input) => {
    const name = JSON.stringify(input)
    const known = keys.current.get(name)
    if (known !== undefined) return known
    const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
    keys.current.set(name, key)
    return key
  }
}
