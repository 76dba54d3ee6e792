/** No circles: neither of files nor of areas. Type imports count, because readers follow them, too. */
import { importsOf } from './import-rule.ts'
import type { Source } from './sources.ts'

type Graph = ReadonlyMap<string, ReadonlySet<string>>

const IS_TEST = /\.(test|fixture)\.tsx?$/

/** Every circle of files and of areas, as a sentence. */
export function circleFaults(sources: readonly Source[]): string[] {
  const files = new Map(
    sources
      .filter(({ path }) => !IS_TEST.test(path))
      .map((source) => [source.path, new Set(importsOf(source))]),
  )
  return [...faultsOf('files', files), ...faultsOf('areas', areasOf(files))]
}

const areaOf = (path: string): string | undefined => /^packages\/areas\/src\/([^/]+)\//.exec(path)?.[1]

function areasOf(files: Graph): Graph {
  const areas = new Map<string, Set<string>>()
  for (const [path, imports] of files) {
    const from = areaOf(path)
    if (from === undefined) continue
    const all = areas.get(from) ?? new Set()
    areas.set(from, all)
    for (const to of [...imports].map(areaOf)) if (to !== undefined && to !== from) all.add(to)
  }
  return areas
}

const faultsOf = (what: string, graph: Graph): string[] =>
  circlesIn(graph).map((circle) => `a circle of ${what}: ${circle.sort().join(', ')}`)

/** The strongly connected components of more than one node (Tarjan 1972). */
function circlesIn(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (node: string): number => {
    const own = index.size
    index.set(node, own)
    stack.push(node)
    let lowest = own
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!index.has(next)) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? own)
    }
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(node))
      if (circle.length > 1) circles.push(circle)
    }
    return lowest
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return circles
}
