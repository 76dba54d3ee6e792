import { type Html, html } from '../../../values/html.ts'
import { exampleOf } from '../reference/call.ts'
import type { Parameter } from '../reference/openapi-types.ts'
import type { Operation } from '../reference/reference.ts'
import type { Sources } from './operation-parts.ts'

/** What a call in the page needs to know of an operation; `assets/explorer.js` reads it. */
interface Explored {
  readonly method: string
  readonly url: string
  readonly credentials: readonly string[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly example: string
  }[]
  /** JSON to begin with; undefined where there is no such body. */
  readonly body?: string
  /** Names of the parts of a form. */
  readonly parts?: readonly string[]
}

/** What the path needs comes first, then what is required. */
const byNeed = (a: Parameter, b: Parameter): number => needOf(a) - needOf(b)

const needOf = ({ in: place, required }: Parameter) => (place === 'path' ? 0 : required ? 1 : 2)

/** A button that loads the form for a call, on operations that a page can call. */
export function tryItButton(operation: Operation, { baseUrl }: Sources): Html | readonly Html[] {
  const { method, path, parameters, credentials, bodies } = operation
  const [type, content] = bodies[0] ?? []
  const explored: Explored = {
    method,
    url: baseUrl + path,
    credentials,
    parameters: parameters.toSorted(byNeed).map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required ?? false,
      example: String(exampleOf(parameter)),
    })),
    ...(type === 'application/json' && { body: JSON.stringify(content?.example ?? {}, null, 2) }),
    ...(type === 'multipart/form-data' && { parts: Object.keys(content?.example ?? {}) }),
  }
  return html`<button class="try" type="button" data-try="${JSON.stringify(explored)}">Try it</button>`
}
