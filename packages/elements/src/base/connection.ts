import { createClient, type Guildhall, MemberSession } from '../../../sdk/src/guildhall.ts'

/** Where the API is, and the public key of the project. */
export interface Settings {
  /** Such as `https://api.example.com`. */
  readonly api: string
  /** A public key, `svc_pk_…`. */
  readonly key: string
}

/** What all elements of a page share that name the same API and key. */
export interface Connection {
  readonly session: MemberSession
  /** Acts as the member who is logged in, and as the public key otherwise. */
  readonly guildhall: Guildhall
  /** Acts as the public key, whoever is logged in. */
  readonly open: Guildhall
}

const connections = new Map<string, Connection>()
let configured: Settings | undefined
const waiting = new Set<() => void>()

/** Says once for a page what the elements need. Attributes of an element, or of a `<guildhall-provider>` around it, come first. */
export function configure(settings: Settings): void {
  configured = settings
  for (const begin of [...waiting]) begin()
}

/** Calls a function when the page says what its elements need. @returns what ends that */
export function onConfigured(begin: () => void): () => void {
  waiting.add(begin)
  return () => waiting.delete(begin)
}

/**
 * The connection of an API and a key. All elements of a page share its session, and so can the page's own script.
 * @throws TypeError for an address that is none, and for a secret key
 */
export function connect({ api, key }: Settings): Connection {
  const name = `${api} ${key}`
  const known = connections.get(name)
  if (known !== undefined) return known
  // People are told why, and try it again themselves, rather than wait for what is repeated.
  const retries = 0
  const open = createClient({ baseUrl: api, key, retries })
  const session = new MemberSession({ baseUrl: api, key })
  const token = async (refused?: string) => (await session.token(refused)) ?? key
  const made = { open, session, guildhall: createClient({ baseUrl: api, token, retries }) }
  connections.set(name, made)
  return made
}

/** An attribute of an element, or of the nearest `<guildhall-provider>` around it, through shadow roots too. */
export function inherited(element: Element, name: string): string | undefined {
  for (let at: Element | null = element; at !== null; at = around(at)) {
    const value = at === element || at.localName === 'guildhall-provider' ? at.getAttribute(name) : null
    if (value !== null && value !== '') return value
  }
  return undefined
}

/** The connection of an element, or undefined while nobody has said where the API is. */
export function connectionOf(element: Element): Connection | undefined {
  const api = inherited(element, 'api') ?? configured?.api
  const key = inherited(element, 'key') ?? configured?.key
  return api === undefined || key === undefined ? undefined : connect({ api, key })
}

/** The language of an element, like `de`: of the nearest `lang` around it. */
export function languageOf(element: Element): string {
  for (let at: Element | null = element; at !== null; at = around(at)) {
    const tag = at.getAttribute('lang')
    if (tag) return tag.toLowerCase()
  }
  return 'en'
}

function around(element: Element): Element | null {
  if (element.parentElement !== null) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}
