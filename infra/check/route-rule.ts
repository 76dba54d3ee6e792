/** What a route declares, its handler does not do by hand: ids in paths, If-Match, the status of a success, and the envelope. */
import type { Source } from './sources.ts'

const IS_ROUTES = /^packages\/areas\/src\/(?:[^/]+\/)*(?:[\w-]+-)?(?:routes|pages)\.ts$/

/** What stands in a handler, and what its route declares in place of that. */
const BY_HAND: readonly (readonly [pattern: RegExp, inPlace: string])[] = [
  [/\bidFromPath\(/, 'declares an id in its path by pathId'],
  [/\[['"]if-match['"]\]/, 'has If-Match parsed in request.ifMatch'],
  [/\.code\(201\)/, 'declares its status by its only success'],
  [/\breturn \{\s*success: true\b/, 'declares its envelope by envelope, listEnvelope or envelopeOf'],
  [/\bType\.Object\(\{\s*success:/, 'declares its envelope by envelope, listEnvelope or envelopeOf'],
]

/** What is wrong with a file. */
export const routeFaults = ({ path, text }: Source): string[] =>
  IS_ROUTES.test(path)
    ? BY_HAND.filter(([pattern]) => pattern.test(text)).map(([, inPlace]) => `a route ${inPlace}`)
    : []
