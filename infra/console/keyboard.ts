import type { Page } from 'playwright-core'

// Goes through the present screen by Tab alone, as somebody without a pointer does. The functions `makeEye` and `watchFocus` run within
// the page, so that they use nothing of this file.

/** More stops than any screen has. */
const MOST_STOPS = 500
/** How often a screen is gone through whose controls change meanwhile, because something was still being loaded. */
const MOST_ROUNDS = 3
/** Milliseconds in which a screen comes to rest. */
const REST_MS = 300

/** What somebody sees of controls. */
interface Eye {
  /** The controls in a part of the page that are shown, those in shadow roots included. */
  readonly controlsIn: (part: Element) => Element[]
  readonly nameOf: (element: Element) => string
  /** How a control looks. A focus that is seen changes it. */
  readonly lookOf: (element: Element) => string
  readonly isCovered: (element: Element) => boolean
  readonly placeOf: (element: Element) => Place
  readonly parentOf: (element: Element) => Element | null
}

/** Where a control stands on the page, in pixels. */
interface Place {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** A control while it has the focus. */
interface Stop {
  readonly element: Element
  readonly place: Place
  readonly look: string
}

/** What is learned of the focus after each press of Tab. */
interface FocusWatch {
  /** Looks at what has the focus now. @returns whether Tab has gone past the last control, or goes no further */
  readonly look: () => boolean
  /** Whether what has the focus cannot be seen. */
  readonly isCovered: () => boolean
  /** Notes it where that is so. */
  readonly lookAgain: () => void
  /** What was wrong, once Tab has been everywhere; nothing where other controls have come meanwhile. */
  readonly faults: () => string[] | undefined
}

/**
 * What Tab does on the present screen, other than it should: each control is reached, in the order in which it is read; what has the
 * focus looks different for it and is not covered; and the last Tab leaves the screen.
 * @param within the part that is gone through. Default: the screen without the menu
 */
export async function faultsOfTab(page: Page, within = 'main'): Promise<string[]> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const faults = await goThrough(page, within)
    if (faults !== undefined) return faults
  }
  return ['its controls change all the time']
}

async function goThrough(page: Page, within: string): Promise<string[] | undefined> {
  const eye = await page.evaluateHandle(makeEye)
  const watch = await page.evaluateHandle(watchFocus, { eye, within })
  for (let i = 0; i < MOST_STOPS; i++) {
    await page.keyboard.press('Tab')
    if (await watch.evaluate((each) => each.look())) break
    if (!(await watch.evaluate((each) => each.isCovered()))) continue
    // What is still being loaded moves a screen: somebody sees where it comes to rest.
    await page.waitForTimeout(REST_MS)
    await watch.evaluate((each) => each.lookAgain())
  }
  const faults = await watch.evaluate((each) => each.faults())
  await watch.dispose()
  await eye.dispose()
  return faults
}

function makeEye(): Eye {
  const CONTROLS =
    'a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=true]'
  const LOOKS = ['outline', 'boxShadow', 'borderColor', 'backgroundColor', 'color'] as const
  /** How many elements around a control may show that it has the focus, such as the label of a checkbox. */
  const AROUND = 3

  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) =>
      each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each],
    )
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert], [aria-hidden=true]') === null
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode()
    return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
  }
  /** What is seen of a control: an input that is only heard has its label. */
  const boxOf = (element: Element): Element => element.closest('label') ?? element

  return {
    parentOf,
    controlsIn: (part) => all(part).filter((each) => each.matches(CONTROLS) && isShown(each)),
    nameOf: (element) => {
      const { labels } = element as Partial<HTMLInputElement>
      const said = element.getAttribute('aria-label') || labels?.[0]?.textContent || element.textContent
      return `${element.tagName.toLowerCase()} “${(said || element.id || element.className).trim().slice(0, 40)}”`
    },
    lookOf: (element) => {
      const looks: string[] = []
      for (let at: Element | null = element, i = 0; at !== null && i <= AROUND; at = parentOf(at), i++) {
        const style = getComputedStyle(at)
        looks.push(LOOKS.map((name) => style[name]).join(' '))
      }
      return looks.join('\n')
    },
    isCovered: (element) => {
      const box = boxOf(element)
      const root = box.getRootNode() as Document | ShadowRoot
      // What lets pointers pass is never hit itself, such as the handle of a row that is dragged as a whole.
      const isPassed = getComputedStyle(box).pointerEvents === 'none'
      // A link that goes over two lines has two.
      const points = [...box.getClientRects()].flatMap(({ left, right, top, bottom }) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        return [[x, y] as const, [left + 2, y] as const, [right - 2, y] as const, [x, top + 2] as const]
      })
      return !points.some(([atX, atY]) => {
        const hit = root.elementFromPoint(atX, atY)
        return hit !== null && (box.contains(hit) || (isPassed && hit.contains(box)))
      })
    },
    placeOf: (element) => {
      const { top, bottom, left, right } = boxOf(element).getBoundingClientRect()
      return { top: top + scrollY, bottom: bottom + scrollY, left, right }
    },
  }
}

function watchFocus({ eye, within }: { readonly eye: Eye; readonly within: string }): FocusWatch {
  /** One stop of Tab; arrows go on within. */
  const COMPOSITES = ['grid', 'treegrid', 'listbox', 'menu', 'tablist', 'radiogroup', 'toolbar']
  const COMPOSITE = COMPOSITES.map((role) => `[role=${role}]`).join()
  /** They have parts of their own, which all are the same element for a script. */
  const IN_PARTS = 'iframe, video, audio, input[type=date], input[type=datetime-local], input[type=time]'
  const MOST_PARTS = 12

  const start = document.querySelector<HTMLElement>(within)
  if (start === null) throw new Error(`the page has no ${within}`)
  const found: string[] = []
  const visited = new Set<Element>()
  let last: Stop | undefined
  let sameFor = 0

  const isIn = (element: Element | null): boolean =>
    element !== null && (element === start || isIn(eye.parentOf(element)))
  const focused = (): Element | null => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at
  }
  /** Further up, and not to the right: nobody reads so. */
  const isBefore = (place: Place, other: Place): boolean =>
    place.bottom <= other.top && place.left < other.right
  const leave = ({ element, look }: Stop): void => {
    if (element.isConnected && eye.lookOf(element) === look)
      found.push(`${eye.nameOf(element)} looks the same with and without the focus`)
  }
  const isLeftOut = (element: Element): boolean => {
    if (element.matches(':disabled')) return true
    if (element instanceof HTMLInputElement && element.type === 'radio')
      return [...visited].some((each) => each instanceof HTMLInputElement && each.name === element.name)
    // What takes the focus from a script alone, such as a heading, is no control.
    return (
      !element.matches('a, button, input, select, textarea, summary') && (element as HTMLElement).tabIndex < 0
    )
  }

  const before = eye.controlsIn(start)
  // The next Tab goes to the first control.
  start.tabIndex = -1
  start.focus()
  return {
    look: () => {
      const element = focused()
      if (last && last.element !== element) leave(last)
      if (element === null || element === document.body || !isIn(element)) return true
      if (last?.element === element) {
        sameFor += 1
        if (sameFor <= MOST_PARTS && element.matches(IN_PARTS)) return false
        found.push(`Tab does not leave ${eye.nameOf(element)}`)
        return true
      }
      // Around once more.
      if (visited.has(element)) return true
      const name = eye.nameOf(element)
      const place = eye.placeOf(element)
      // What comes and goes with the focus has moved the page since, and what is scrolled has moved on the page: both places count.
      if (last && isBefore(place, last.place) && isBefore(place, eye.placeOf(last.element)))
        found.push(`Tab goes back up from ${eye.nameOf(last.element)} to ${name}`)
      if ((element as HTMLElement).tabIndex > 0)
        found.push(`${name} has a place of its own in the order of Tab`)
      visited.add(element)
      last = { element, place, look: eye.lookOf(element) }
      sameFor = 0
      return false
    },
    isCovered: () => last !== undefined && eye.isCovered(last.element),
    lookAgain: () => {
      if (last && eye.isCovered(last.element))
        found.push(`${eye.nameOf(last.element)} has the focus and cannot be seen`)
    },
    faults: () => {
      const present = eye.controlsIn(start)
      if (present.length !== before.length || present.some((each, i) => each !== before[i])) return undefined
      const groups = new Set(present.flatMap((each) => each.closest(COMPOSITE) ?? []))
      for (const element of present)
        if (!element.closest(COMPOSITE) && !visited.has(element) && !isLeftOut(element))
          found.push(`Tab does not reach ${eye.nameOf(element)}`)
      for (const group of groups)
        if (![...visited].some((each) => group.contains(each)))
          found.push(`Tab reaches nothing in ${eye.nameOf(group)}`)
      return found
    },
  }
}
