let isLeaving = false
// Before all that is done where the page is left.
for (const [name, is] of [
  ['pagehide', true],
  ['pageshow', false],
] as const)
  addEventListener(
    name,
    () => {
      isLeaving = is
    },
    { capture: true },
  )

/** `fetch`, by which what is begun while the page is left is done, though nobody reads the answer. */
export const fetchBeyondThePage: typeof fetch = (input, init) =>
  fetch(input, isLeaving ? { ...init, keepalive: true } : init)
