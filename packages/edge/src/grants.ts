import type { PageUrl } from '../../areas/src/member-content/matching/page-url.ts'
import type { Rule, Rules } from './rules.ts'
import { payloadOf, type Signatures } from './signatures.ts'

/** The type of a grant: nothing else that the installation signs is taken for one. */
const TYPE = 'page-grant+jwt'
/** Seconds that a grant is valid for. */
const GRANT_SECONDS = 60
/** Seconds that the clocks of the edge and of the installation may differ. */
const TOLERANCE_S = 5

/** Each rule has a cookie of its own, so that a grant replaces the one before. */
const nameOf = (ruleId: string) => `guildhall_grant_${ruleId}`

/** The grants that a request has for a rule. A browser can send several cookies of one name. */
export const grantsOf = (request: Request, ruleId: string): string[] =>
  (request.headers.get('cookie') ?? '')
    .split(/;\s*/)
    .filter((cookie) => cookie.startsWith(`${nameOf(ruleId)}=`))
    .map((cookie) => cookie.slice(nameOf(ruleId).length + 1))

export function grantCookie(request: Request, ruleId: string, grant: string): string {
  const secure = request.url.startsWith('https:') ? '; Secure' : ''
  return `${nameOf(ruleId)}=${grant}; Path=/; Max-Age=${GRANT_SECONDS}; HttpOnly; SameSite=Lax${secure}`
}

interface Asked {
  readonly signatures: Signatures
  readonly rules: Rules
  readonly rule: Rule
  readonly page: PageUrl
  /** The access token of the request. */
  readonly token: string | undefined
}

/**
 * Whether a grant lets the sender of a request see a page: it is signed, not over, of this project, and for this rule or
 * this path. The grant of a member passes only together with a token of the same member, so that it ends with a log-out.
 */
export async function coversPage(grant: string, asked: Asked): Promise<boolean> {
  const { signatures, rules, rule, page, token } = asked
  const claims = await claimsOf(grant, { signatures, rules })
  if (claims === undefined || !(Number(claims['exp']) + TOLERANCE_S > Date.now() / 1_000)) return false
  const member = claims['sub']
  if (member !== undefined && (token === undefined || payloadOf(token)?.['sub'] !== member)) return false
  if (claims['rule_id'] !== rule.id) return false
  return claims['covers'] === 'rule' || (claims['path'] === page.path && claims['host'] === page.host)
}

/** What a grant says; undefined where it is none of this project. */
async function claimsOf(grant: string, { signatures, rules }: Pick<Asked, 'signatures' | 'rules'>) {
  const claims = await signatures.verify(grant, TYPE)
  return claims?.['iss'] === rules.issuer && claims['aud'] === rules.audience ? claims : undefined
}

/** Whether the API has given a grant for the project of the rules. */
export const isOfProject = async (grant: string | undefined, of: Pick<Asked, 'signatures' | 'rules'>) =>
  grant !== undefined && (await claimsOf(grant, of)) !== undefined

/** The answer of the origin, kept by nobody but the browser: what a rule guards is not for everybody. */
export function keptPrivate(answer: Response): Response {
  const kept = answer.headers.get('cache-control') ?? ''
  const own = new Response(answer.body, answer)
  if (!/\b(?:private|no-store)\b/i.test(kept)) own.headers.set('cache-control', 'private, no-cache')
  return own
}
