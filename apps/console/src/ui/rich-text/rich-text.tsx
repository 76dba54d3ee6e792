import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import styles from './rich-text.module.css'

/** Elements that are shown as they are, without their attributes. */
const PLAIN = new Set(
  'p br strong em b i s del code pre ul ol li blockquote hr table thead tbody tr th td sup sub'.split(' '),
)
const HEADING = /^h([1-6])$/
const EMPTY = new Set(['br', 'hr'])
const ADDRESS = /^(?:https?:|mailto:)/i

/**
 * The HTML of a post. It is built anew from the elements that posts have, so that nothing else of it reaches the page;
 * pictures are links, because they would be fetched from anywhere.
 * @param props.top the level of its highest headings, which are below those of the screen
 */
export function RichText({ html, top = 3 }: { readonly html: string; readonly top?: number }) {
  const content = useMemo(
    () => childrenOf(new DOMParser().parseFromString(html, 'text/html').body, top),
    [html, top],
  )
  return (
    <div dir="auto" className={styles.text}>
      {content}
    </div>
  )
}

const childrenOf = (node: Node, top: number): ReactNode[] =>
  [...node.childNodes].map((child, key) => nodeOf(child, key, top))

/** Two levels of the text become one of the screen. */
const levelOf = (level: number, top: number) => Math.min(6, top + Math.floor((level - 1) / 2))

function nodeOf(node: ChildNode, key: number, top: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof HTMLElement)) return null
  const name = node.localName
  if (name === 'script' || name === 'style') return null
  const props = { key }
  if (EMPTY.has(name)) return createElement(name, props)
  const [, level] = HEADING.exec(name) ?? []
  if (level !== undefined)
    return createElement(`h${levelOf(Number(level), top)}`, props, ...childrenOf(node, top))
  if (PLAIN.has(name)) return createElement(name, props, ...childrenOf(node, top))
  const address = node.getAttribute(name === 'img' ? 'src' : 'href') ?? ''
  if ((name === 'a' || name === 'img') && ADDRESS.test(address))
    return (
      <a key={key} href={address} target="_blank" rel="noopener noreferrer nofollow">
        {name === 'img' ? node.getAttribute('alt') || address : childrenOf(node, top)}
      </a>
    )
  return <Fragment key={key}>{childrenOf(node, top)}</Fragment>
}
