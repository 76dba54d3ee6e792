// This file names each operation for client libraries: `x-sdk: {group: 'forms.submissions', method: 'list'}`. A group is the
// words of the path. A method is the last word of the path where that is what the operation does (`POST /forms/{id}/publish`),
// and otherwise one of a few verbs. A route whose path says neither names itself: `sdk: 'auth.magicLink.request'`.

/** The name of an operation in client libraries. */
export interface SdkName {
  /** Words that are separated by dots, such as `auth.magicLink`. */
  readonly group: string
  readonly method: string
}

interface Named {
  readonly operationId: string
  /** Whether its answer is a page of a list. */
  readonly isList: boolean
  /** The name that the route declares, if any. */
  readonly declared?: string | undefined
}

/** The verbs of resources. Every other method is a word of its path, or is declared by its route. */
export const SDK_VERBS = ['list', 'get', 'create', 'update', 'set', 'delete'] as const

const VERB_OF_METHOD: Readonly<Record<string, string>> = {
  get: 'get',
  post: 'create',
  put: 'set',
  patch: 'update',
  delete: 'delete',
}

/** @param path like `/api/v1/forms/{id}/publish` */
export function sdkNameOf(method: string, path: string, operation: Named): SdkName {
  if (operation.declared !== undefined) return split(operation.declared)
  const words = path
    .replace(/^\/(api\/v1|console\/api)/, '')
    .split('/')
    .filter((word) => word !== '' && !word.startsWith('{'))
    .map(camelCase)
  const last = words.at(-1) ?? ''
  const act = actOf(operation.operationId, last)
  const group = act === undefined || words.length === 1 ? words : words.slice(0, -1)
  const verb = operation.isList ? 'list' : (verbOf(operation.operationId) ?? VERB_OF_METHOD[method] ?? method)
  return { group: group.join('.'), method: words.length === 1 ? verb : (act ?? verb) }
}

function split(name: string): SdkName {
  const dot = name.lastIndexOf('.')
  return { group: name.slice(0, dot), method: name.slice(dot + 1) }
}

/** The last word of the path, or what undoes it, where the operation is named by it: `publish` of `publishForm`. */
function actOf(operationId: string, last: string): string | undefined {
  const [verb = ''] = /^[a-z]+/.exec(last) ?? []
  const id = operationId.toLowerCase()
  if (id.startsWith(last.toLowerCase()) || firstWord(operationId) === verb) return last
  return id.startsWith(`un${last}`) ? `un${last}` : undefined
}

const verbOf = (operationId: string): string | undefined =>
  SDK_VERBS.find((verb) => verb === firstWord(operationId))

const firstWord = (name: string): string => /^[a-z]+/.exec(name)?.[0] ?? ''

const camelCase = (word: string): string =>
  word.replaceAll(/[-_.](\w)/g, (_, letter: string) => letter.toUpperCase())
