/** The rules that neither Biome nor TypeScript can express. */
import { posix } from 'node:path'
import { circleFaults } from './circles.ts'
import { clockFault } from './clock-rule.ts'
import { importFault, importsOf } from './import-rule.ts'
import { plainTextFaults } from './plain-texts.ts'
import { poolFault } from './pool-rule.ts'
import type { Source } from './sources.ts'

/** The one file that may widen Fastify's own types. */
const FASTIFY_TYPES = 'packages/platform/src/http/fastify.d.ts'
const NAMELESS = /^(utils?|helpers?|common|misc|index)\.(tsx?|mjs)$/

type Rule = (source: Source) => string[]

const imports: Rule = (source) =>
  importsOf(source).flatMap((imported) => importFault(source.path, imported) ?? [])

const fastifyTypes: Rule = ({ path, text }) =>
  path !== FASTIFY_TYPES && /^\s*declare module ['"]fastify['"]/m.test(text)
    ? [`only ${FASTIFY_TYPES} may say declare module 'fastify'`]
    : []

const names: Rule = ({ path }) =>
  NAMELESS.test(posix.basename(path)) ? ['a file is named after what it exports'] : []

const promises: Rule = ({ path, text }) =>
  // A method may have that name.
  !path.endsWith('.generated.ts') &&
  // Statements only: `void` as a type has another token before it.
  /^\s*void\s+[\w(]/m.test(text)
    ? ['a promise must be awaited or have its failure handled, not be voided']
    : []

const unfinished: Rule = ({ text }) =>
  /\b(TO[D]O|FIX[M]E)\b/.test(text) ? ['unfinished work belongs in an issue, not in a comment'] : []

const pools: Rule = (source) => poolFault(source) ?? []

const clocks: Rule = (source) => clockFault(source) ?? []

const IS_ROUTES = /^packages\/areas\/src\/(?:[^/]+\/)*(?:[\w-]+-)?(?:routes|pages)\.ts$/

/** Code that a handler must not have, and the declaration of its route that does the same. */
const BY_HAND: readonly (readonly [pattern: RegExp, inPlace: string])[] = [
  [/\bidFromPath\(/, 'declares an id in its path by pathId'],
  [/\[['"]if-match['"]\]/, 'has If-Match parsed in request.ifMatch'],
  [/\.code\(201\)/, 'declares its status by its only success'],
  [/\breturn \{\s*success: true\b/, 'declares its envelope by envelope, listEnvelope or envelopeOf'],
  [/\bType\.Object\(\{\s*success:/, 'declares its envelope by envelope, listEnvelope or envelopeOf'],
]

const routeFaults: Rule = ({ path, text }) =>
  IS_ROUTES.test(path)
    ? BY_HAND.filter(([pattern]) => pattern.test(text)).map(([, inPlace]) => `a route ${inPlace}`)
    : []

const RULES: Rule[] = [
  imports,
  fastifyTypes,
  names,
  promises,
  unfinished,
  pools,
  clocks,
  plainTextFaults,
  routeFaults,
]

/** What is wrong with the sources, a line each. */
export function faultsIn(sources: Source[]): string[] {
  const each = sources.flatMap((source) =>
    RULES.flatMap((rule) => rule(source).map((fault) => `${source.path}: ${fault}`)),
  )
  return [...each, ...circleFaults(sources)]
}
