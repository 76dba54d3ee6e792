import { DOMParser, type Document, type Element, onWarningStopParsing, ParseError } from '@xmldom/xmldom'
import { isBounded } from './xml-bounds.ts'

/** XML that is well-formed, small and flat enough, and declares no entities of its own, or undefined. */
export function parseXml(text: string): Document | undefined {
  if (/<!doctype/i.test(text) || !isBounded(text)) return undefined
  try {
    return new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, 'text/xml')
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

/** All elements of that name below another. */
export const below = (root: Element, namespace: string, name: string): Element[] => [
  ...root.getElementsByTagNameNS(namespace, name),
]

/** The elements of that name that another is the parent of. */
export const childrenOf = (parent: Element, namespace: string, name: string): Element[] =>
  below(parent, namespace, name).filter((each) => each.parentNode === parent)

/** What an element says, without the white space around it; undefined where it says nothing. */
export const textOf = (element: Element | undefined): string | undefined =>
  element?.textContent?.trim() || undefined
