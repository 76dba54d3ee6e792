/** docker-compose.yml as its tests read it. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

export interface ComposeFile {
  readonly text: string
  /** The variables of every process of Guildhall, with what compose puts where nothing is set. */
  readonly variables: Readonly<Record<string, string>>
  /** The names of the files in `secrets/`. */
  readonly secrets: readonly string[]
  /** What each service waits for, and in which state. */
  readonly waits: Readonly<Record<string, Readonly<Record<string, { readonly condition: string }>>>>
}

interface Parsed {
  readonly 'x-environment': Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, unknown>>
  readonly services: Readonly<Record<string, { readonly depends_on?: ComposeFile['waits'][string] }>>
}

export async function readComposeFile(): Promise<ComposeFile> {
  const text = await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
  const parsed: Parsed = parse(text, { merge: true })
  const variables = Object.entries(parsed['x-environment']).map(([name, value]) => [
    name,
    value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
  ])
  const services = Object.entries(parsed.services).map(([name, { depends_on = {} }]) => [name, depends_on])
  return {
    text,
    variables: Object.fromEntries(variables),
    secrets: Object.keys(parsed.secrets),
    waits: Object.fromEntries(services),
  }
}
