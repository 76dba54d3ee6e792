import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import styles from './rich-text.module.css'

/** Elements that are shown as they are, without their attributes. */
const PLAIN = new Set(
  'p br strong em b i s del code pre ul ol li blockquote hr table thead tbody tr th td sup sub'.split(' '),
)
/** Headings of a post are below those of the screen. */
const HEADINGS: Readonly<Record<string, string>> = {
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h4',
  h5: 'h5',
  h6: 'h6',
}
const EMPTY = new Set(['br', 'hr'])
const ADDRESS = /^(?:https?:|mailto:)/i

/**
 * The HTML of a post. It is built anew from the elements that posts have, so that nothing else of it reaches the page;
 * pictures are links, because they would be fetched from anywhere.
 */
export function RichText({ html }: { readonly html: string }) {
  const content = useMemo(() => childrenOf(new DOMParser().parseFromString(html, 'text/html').body), [html])
  return (
    <div dir="auto" className={styles.text}>
      {content}
    </div>
  )
}

const childrenOf = (node: Node): ReactNode[] => [...node.childNodes].map(nodeOf)

function nodeOf(node: ChildNode, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof HTMLElement)) return null
  const name = node.localName
  if (name === 'script' || name === 'style') return null
  const props = { key }
  if (EMPTY.has(name)) return createElement(name, props)
  const tag = HEADINGS[name] ?? name
  if (PLAIN.has(name) || tag !== name) return createElement(tag, props, ...childrenOf(node))
  const address = node.getAttribute(name === 'img' ? 'src' : 'href') ?? ''
  if ((name === 'a' || name === 'img') && ADDRESS.test(address))
    return (
      <a key={key} href={address} target="_blank" rel="noopener noreferrer nofollow">
        {name === 'img' ? node.getAttribute('alt') || address : childrenOf(node)}
      </a>
    )
  return <Fragment key={key}>{childrenOf(node)}</Fragment>
}
