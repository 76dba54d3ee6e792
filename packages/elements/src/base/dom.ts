/** What stands in an element. Nothing is shown for what is missing. */
export type Child = Node | string | undefined | null | false

/** Attributes by their names, and what is called for events, such as `onclick`. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | EventHandler>>
type EventHandler = (event: never) => unknown

/** Makes an HTML element. Texts are texts: nothing here reads HTML. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value))
  }
  element.append(...present(children))
  return element
}

/** Replaces what stands in an element. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...present(children))
}

const present = (children: readonly Child[]): (Node | string)[] =>
  children.filter((child): child is Node | string => child !== undefined && child !== null && child !== false)

let ids = 0

/** An id that no other element has. */
export const newId = (): string => `g${++ids}`
