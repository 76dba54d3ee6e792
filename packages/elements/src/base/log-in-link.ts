import { type Child, h } from './dom.ts'

/** Says that something needs a log-in, with a link where the attribute `login-url` says where that is. */
export function logInPrompt(element: Element, words: string, link: string): HTMLElement {
  const url = element.getAttribute('login-url')
  const more: Child = url ? h('a', { href: url, part: 'link' }, link) : undefined
  return h('p', { class: 'prompt muted' }, words, more)
}
