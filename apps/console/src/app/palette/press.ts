// What can be done on the present screen, found by its buttons: whatever a screen offers, the search offers, too.

/** Parts whose buttons are of a row, a page, a filter or a view, and no act of the screen. */
const OTHERS = 'table, [role=grid], [role=treegrid], [role=tablist], [role=toolbar], search, nav, fieldset'
/** Milliseconds in which a screen, and what a button opens, is there. */
const TIME_MS = 10_000
const LOOK_MS = 50

const nameOf = (element: Element): string => {
  const copy = element.cloneNode(true) as Element
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  return (element.getAttribute('aria-label') ?? copy.textContent ?? '').trim()
}

interface Found {
  readonly button: HTMLElement
  /** What the button opens has it, where the button itself does not do it. */
  readonly item?: string
}

/** The acts of the present screen by their names. Of two with one name the first one counts. */
function found(): ReadonlyMap<string, Found> {
  const acts = new Map<string, Found>()
  const add = (name: string, act: Found) => {
    if (name !== '' && !acts.has(name)) acts.set(name, act)
  }
  for (const button of document.querySelectorAll<HTMLElement>('main button:not(:disabled)')) {
    if (button.closest(OTHERS) !== null || !button.checkVisibility()) continue
    const { acts: items } = button.dataset
    if (items === undefined) add(nameOf(button), { button })
    else for (const item of JSON.parse(items) as readonly string[]) add(item, { button, item })
  }
  return acts
}

export const actsOfScreen = (): readonly string[] => [...found().keys()]

/** Looks until something is there. */
async function whenThere<Thing>(look: () => Thing | undefined): Promise<Thing | undefined> {
  const end = Date.now() + TIME_MS
  for (;;) {
    // The search is closed first, so that the focus comes back to the button.
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const thing = look()
    if (thing !== undefined || Date.now() > end) return thing
  }
}

/** Does what a screen offers, as soon as it is there. @param name as its button says it */
export async function pressOnScreen(name: string): Promise<void> {
  const act = await whenThere(() =>
    document.querySelector('[role=dialog]') === null ? found().get(name) : undefined,
  )
  act?.button.focus()
  act?.button.click()
  if (act?.item === undefined) return
  const items = () => document.querySelectorAll<HTMLElement>('[role=menuitem]')
  const item = await whenThere(() => [...items()].find((each) => nameOf(each) === act.item))
  item?.click()
}
