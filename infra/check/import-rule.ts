/**
 * Who may import whom: apps → areas → platform, never back. An area imports of another area only its service.ts,
 * events.ts, schema.ts, ids.ts or errors.ts; an app nothing of another app; nobody but tests and infra imports the testkit, and nobody
 * imports infra. In the console the areas never import each other, and parts and data know neither areas nor the shell.
 */
import { posix } from 'node:path'
import type { Source } from './sources.ts'

const OPEN_TO_OTHER_AREAS = new Set(['service.ts', 'events.ts', 'schema.ts', 'ids.ts', 'errors.ts'])
const SUBPATHS: Record<string, string> = {
  '#platform/': 'packages/platform/src/',
  '#areas/': 'packages/areas/src/',
  '#testkit/': 'packages/testkit/src/',
}

/** Where a file stands: its layer, and inside `apps` and `areas` the unit that it belongs to. */
type Place = { layer: string; unit: string | undefined; file: string; isTest: boolean }

function placeOf(path: string): Place | undefined {
  const isTest = /\.(test|fixture)\.tsx?$/.test(path)
  const app = /^apps\/([^/]+)\/(.+)$/.exec(path)
  if (app) return { layer: 'apps', unit: app[1], file: app[2] ?? '', isTest }
  // areas.ts lists every area and belongs to none.
  const area = /^packages\/areas\/src\/(?:([^/]+)\/)?(.+)$/.exec(path)
  if (area) return { layer: 'areas', unit: area[1], file: area[2] ?? '', isTest }
  const other = /^packages\/([^/]+)\/(.+)$/.exec(path)
  if (other) return { layer: other[1] ?? '', unit: undefined, file: other[2] ?? '', isTest }
  return path.startsWith('infra/') ? { layer: 'infra', unit: undefined, file: path, isTest } : undefined
}

/** The layers below a layer. What is not listed imports nothing of ours but itself. */
const BELOW: Record<string, string[]> = {
  apps: ['areas', 'platform'],
  areas: ['platform'],
  platform: [],
  elements: ['sdk'],
  testkit: ['apps', 'areas', 'platform'],
  cli: ['sdk'],
  infra: ['apps', 'areas', 'platform', 'testkit', 'sdk', 'edge', 'elements', 'cli'],
}

/** How pages are matched with rules: edges are built with the same code, so that they decide as the API does. */
const MATCHING = 'packages/areas/src/member-content/matching/'

const IN_CONSOLE = /^apps\/console\/src\/([\w.-]+)\/(?:([\w-]+)\/)?/

/** What each folder of the console imports beside itself. What stands outside of them, such as its entry, imports all. */
const CONSOLE_BELOW: Record<string, readonly string[]> = {
  app: ['areas', 'ui', 'data', 'forms.generated'],
  areas: ['ui', 'data', 'forms.generated'],
  ui: ['data', 'forms.generated'],
  'forms.generated': ['data'],
  data: [],
}

function consoleFault(from: string, to: string): string | undefined {
  const [, importer, area] = IN_CONSOLE.exec(from) ?? []
  const [, imported, other] = IN_CONSOLE.exec(to) ?? []
  const below = CONSOLE_BELOW[importer ?? '']
  if (below === undefined || imported === undefined) return undefined
  if (importer !== imported)
    return below.includes(imported) ? undefined : `${importer} of the console must not import ${imported}`
  if (importer !== 'areas' || area === other) return undefined
  return `the area ${area} of the console must not import the area ${other}`
}

/** What is wrong with one import, or undefined. */
export function importFault(from: string, to: string): string | undefined {
  const inConsole = consoleFault(from, to)
  if (inConsole !== undefined) return inConsole
  const importer = placeOf(from)
  const imported = placeOf(to)
  if (!importer || !imported) return undefined
  if (importer.layer !== imported.layer) {
    if (BELOW[importer.layer]?.includes(imported.layer)) return undefined
    if (importer.isTest && imported.layer === 'testkit') return undefined
    if (importer.layer === 'edge' && to.startsWith(MATCHING)) return undefined
    return `${importer.layer} must not import ${imported.layer}`
  }
  if (importer.unit === imported.unit) return undefined
  if (importer.layer === 'apps') return `the app ${importer.unit} must not import the app ${imported.unit}`
  if (importer.layer !== 'areas' || importer.unit === undefined || importer.isTest) return undefined
  if (imported.unit === undefined) return `the area ${importer.unit} must not import the list of areas`
  if (OPEN_TO_OTHER_AREAS.has(imported.file)) return undefined
  return `the area ${importer.unit} must not import ${imported.file} of the area ${imported.unit}`
}

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\1/g

/** The files of ours that a file imports, by their paths from the root. */
export function importsOf({ path, text }: Source): string[] {
  return [...text.matchAll(SPECIFIER)].flatMap(([, , specifier = '']) => {
    if (specifier.startsWith('.')) return [posix.join(posix.dirname(path), specifier)]
    const subpath = Object.keys(SUBPATHS).find((start) => specifier.startsWith(start))
    return subpath ? [SUBPATHS[subpath] + specifier.slice(subpath.length)] : []
  })
}
