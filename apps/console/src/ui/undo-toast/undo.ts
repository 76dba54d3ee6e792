/** An act that can be taken back. */
interface Act {
  /** What was done, such as "“Spam” was removed". */
  readonly text: string
  /** Called when it is done, taken back or refused: what shows it is read again. */
  readonly onSettled?: () => unknown
}

/** What is shown: an act that can be taken back, or what became of it. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly state: 'waiting' | 'taken-back' | 'refused'
  readonly undo: () => void
  readonly dismiss: () => void
  /** Somebody is about to press its button: its time stands still. */
  readonly hold: (isHeld: boolean) => void
}

/** Milliseconds in which an act can be taken back. */
const TIME_MS = 8_000
/** Milliseconds for which "taken back" is shown. */
const RESULT_MS = 4_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
/** What has not been done yet: done at once where its page is left. */
const pending = new Map<number, () => Promise<void>>()

export const presentToasts = (): readonly Toast[] => toasts
export function whenToastsChange(call: () => void): () => void {
  listeners.add(call)
  return () => listeners.delete(call)
}

function show(next: readonly Toast[]): void {
  toasts = next
  for (const call of listeners) call()
}

const without = (id: number): readonly Toast[] => toasts.filter((toast) => toast.id !== id)

/**
 * Says that something was done, and offers to take it back. For acts that have an opposite, such as "suspend": they are done at once,
 * so that nobody sees an old state.
 * @param act.undo calls the opposite
 */
export function offerUndo({
  text,
  undo,
  onSettled,
}: Act & { readonly undo: () => PromiseLike<unknown> }): void {
  open({ text, onSettled, atEnd: undefined, undo: async () => void (await undo()) })
}

/**
 * Does something after 8 seconds, unless it is taken back. For acts without an opposite that nobody waits for, such as a mail or a
 * decision. It is done at once when the page is left or hidden, so it is never lost.
 */
export function doLater({ text, run, onSettled }: Act & { readonly run: () => PromiseLike<unknown> }): void {
  open({ text, onSettled, atEnd: async () => void (await run()), undo: undefined })
}

interface Opened extends Act {
  readonly atEnd: (() => Promise<void>) | undefined
  readonly undo: (() => Promise<void>) | undefined
  readonly onSettled: (() => unknown) | undefined
}

function open({ text, onSettled, atEnd, undo }: Opened): void {
  lastId += 1
  const id = lastId
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const remove = () => {
    stop()
    show(without(id))
  }
  const put = (state: Toast['state'], said: string) =>
    show([
      ...without(id),
      { id, text: said, state, undo: () => undefined, dismiss: remove, hold: () => undefined },
    ])
  const settle = async (work: (() => Promise<void>) | undefined, isUndo: boolean) => {
    stop()
    pending.delete(id)
    try {
      await work?.()
      if (isUndo) {
        put('taken-back', text)
        timer = setTimeout(remove, RESULT_MS)
      } else remove()
    } catch (error) {
      put('refused', `${text}: ${(error as Error).message}`)
    }
    await onSettled?.()
  }
  const end = () => settle(atEnd, false)
  const begin = () => {
    timer = setTimeout(end, TIME_MS)
  }
  if (atEnd) pending.set(id, end)
  const toast: Toast = {
    ...{ id, text, state: 'waiting' },
    undo: () => {
      settle(undo, true).catch(() => undefined)
    },
    dismiss: () => {
      end().catch(() => undefined)
    },
    hold: (isHeld) => {
      stop()
      if (!isHeld && toasts.some((each) => each.id === id && each.state === 'waiting')) begin()
    },
  }
  show([...toasts, toast])
  begin()
}

/** What others do later, and do now where the page is left. */
const others = new Set<() => Promise<unknown>>()

/**
 * Takes part in what is done before a log-out, and when the page is left.
 * @param end does now what would be done later
 * @returns a call that ends it
 */
export function whenPageIsLeft(end: () => Promise<unknown>): () => void {
  others.add(end)
  return () => {
    others.delete(end)
  }
}

/** Does now what would be done later: before a log-out, and when the page is left. */
export async function doPending(): Promise<void> {
  await Promise.all([...pending.values(), ...others].map((end) => end()))
}

addEventListener('pagehide', () => {
  doPending().catch(() => undefined)
})
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') doPending().catch(() => undefined)
})
