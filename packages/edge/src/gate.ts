import { readPageUrl } from '../../areas/src/member-content/matching/page-url.ts'
import { askForPage, type Decision } from './check.ts'
import { coversPage, grantCookie, grantsOf, isOfProject, keptPrivate } from './grants.ts'
import { RuleSource } from './rules.ts'
import { Signatures } from './signatures.ts'

export interface GateOptions {
  /** The address of the API, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** A secret key with `read:content` and nothing else: it reads the rules. */
  readonly key: string
  /**
   * The access token of the member who sends a request; undefined for visitors. Default: what follows `Bearer` in
   * `Authorization`, else the cookie `guildhall_token`.
   */
  readonly token?: (request: Request) => string | undefined
  /** Seconds after which the rules are read again. Default: 5 */
  readonly refreshSeconds?: number
  /** Milliseconds that the API has for an answer. Default: 3,000 */
  readonly timeoutMs?: number
  /** Called with what went wrong, where the gate goes on: for logs. */
  readonly onError?: (error: unknown) => void
  readonly fetch?: typeof fetch
}

export interface Gate {
  /**
   * Answers a request: with the page of the origin where the visitor may see it, else with a redirect (303), 401 for
   * visitors, 403 for members, 400 for an address that no two servers read alike, and 503 where it cannot be known.
   * @param origin fetches the page
   */
  handle(request: Request, origin: (request: Request) => Promise<Response>): Promise<Response>
}

/**
 * Makes a gate. Keep it over many requests: it keeps the rules of the project, and members who may see a page pass for 60
 * seconds without another request to the API.
 */
export function createGate(options: GateOptions): Gate {
  const { baseUrl, key, refreshSeconds = 5, timeoutMs = 3_000, onError = () => undefined } = options
  const send = options.fetch ?? fetch
  const base = baseUrl.replace(/\/+$/, '')
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    send(`${base}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
  const signatures = new Signatures(() => call('/.well-known/jwks.json'))
  const readManifest = (etag: string | undefined) => {
    const headers = { authorization: `Bearer ${key}`, ...(etag !== undefined && { 'if-none-match': etag }) }
    return call('/api/v1/member-content/manifest', { headers })
  }
  const rules = new RuleSource(readManifest, signatures, { refreshMs: refreshSeconds * 1_000, onError })
  const tokenOf = options.token ?? tokenIn

  return {
    async handle(request, origin) {
      const page = readPageUrl(request.url)
      if (page === undefined) return refusal(400, 'This address is not valid')
      try {
        const current = await rules.current()
        const rule = await current.match(page)
        if (rule === undefined) return await passOn(origin, request)
        const token = tokenOf(request)
        for (const grant of grantsOf(request, rule.id))
          if (await coversPage(grant, { signatures, rules: current, rule, page, token }))
            return keptPrivate(await passOn(origin, request))
        let decision = await askForPage(call, { url: request.url, token, key })
        // A token names its project, and may have opened a page by the rules of another one.
        if (decision.allowed && !(await isOfProject(decision.grant, { signatures, rules: current })))
          decision = await askForPage(call, { url: request.url, token: undefined, key })
        if (!decision.allowed) return turnedAway(request, decision)
        const answer = keptPrivate(await passOn(origin, request))
        answer.headers.append('set-cookie', grantCookie(request, rule.id, decision.grant ?? ''))
        return answer
      } catch (error) {
        if (error instanceof OriginFault) throw error.cause
        onError(error)
        return refusal(503, 'Whether you may see this page cannot be checked at the moment', {
          'retry-after': '5',
        })
      }
    },
  }
}

/** What the origin threw is not ours to answer. */
class OriginFault extends Error {}

const passOn = async (origin: (request: Request) => Promise<Response>, request: Request) =>
  origin(request).catch((cause: unknown) => {
    throw new OriginFault('the origin failed', { cause })
  })

/** What somebody sees who may not see the page. */
function turnedAway(request: Request, { reason, redirect_url: to }: Decision): Response {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (to !== null && isRead) {
    const location = new URL(to, request.url).href
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  }
  if (reason === 'invalid_url') return refusal(400, 'This address is not valid')
  return reason === 'login_required' ? refusal(401, 'Log in to see this page') : refusal(403, FOR_MEMBERS)
}

const FOR_MEMBERS = 'Your membership does not include this page'

const refusal = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  })

function tokenIn(request: Request): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (bearer !== undefined) return bearer
  return /(?:^|;\s*)guildhall_token=([^;\s]+)/.exec(request.headers.get('cookie') ?? '')?.[1]
}
