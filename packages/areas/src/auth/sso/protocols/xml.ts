import { createRequire } from 'node:module'
import type { Document, Element } from '@xmldom/xmldom'
import { isBounded } from './xml-bounds.ts'

/** Loaded when the first XML is read: most processes read none. */
const loadLibrary = (): typeof import('@xmldom/xmldom') => createRequire(import.meta.url)('@xmldom/xmldom')

/** XML that is well-formed, small and flat enough, and declares no entities; otherwise undefined. */
export function parseXml(text: string): Document | undefined {
  if (/<!doctype/i.test(text) || !isBounded(text)) return undefined
  const { DOMParser, onWarningStopParsing, ParseError } = loadLibrary()
  try {
    return new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, 'text/xml')
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

/** All elements with a name below another element. */
export const below = (root: Element, namespace: string, name: string): Element[] => [
  ...root.getElementsByTagNameNS(namespace, name),
]

/** The children of an element with a name. */
export const childrenOf = (parent: Element, namespace: string, name: string): Element[] =>
  below(parent, namespace, name).filter((each) => each.parentNode === parent)

/** The text of an element without the white space around it; undefined if it is empty. */
export const textOf = (element: Element | undefined): string | undefined =>
  element?.textContent?.trim() || undefined
