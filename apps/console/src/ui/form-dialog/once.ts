import { useRef } from 'react'

/**
 * Lets the second press of a double one do nothing. A form is shown as pending only after the event that has sent it, and the second
 * press can come before that.
 */
export function useOnce(): (send: () => void) => void {
  const isSending = useRef(false)
  return (send) => {
    if (isSending.current) return
    isSending.current = true
    send()
    // Behind the timer by which the form hears that it is pending.
    setTimeout(() => {
      isSending.current = false
    })
  }
}
