import { SignJWT } from 'jose'
import { toId } from '#platform/ids.ts'
import type { SigningKeys } from '#platform/tokens/signing-keys.ts'
import type { CompiledRule } from '../checks/compiled-rules.ts'
import type { MemberFacts } from '../checks/decide.ts'
import type { PageUrl } from '../matching/page-url.ts'

/** How long an edge may believe a grant. */
export const GRANT_SECONDS = 60

/** Nothing else that we sign can be taken for a grant. */
const TYPE = 'page-grant+jwt'

/** What a grant says. */
export interface Granted {
  readonly projectId: string
  /** Undefined where the page is public and nobody was named. */
  readonly visitor: MemberFacts | undefined
  readonly rule: CompiledRule | undefined
  readonly page: PageUrl
  /** Whether it is good for this path alone: a free view let the visitor in. */
  readonly ofPath: boolean
}

/**
 * Signed statements that a visitor may see what a rule guards. An edge that has the manifest finds the rule of a page by
 * itself and compares: a grant that `covers` a rule is good for every page which that rule decides.
 */
export class PageGrants {
  readonly #keys: SigningKeys
  readonly #issuer: string

  constructor(keys: SigningKeys, issuer: string) {
    this.#keys = keys
    this.#issuer = issuer
  }

  /** @throws ApiError 503 where there is no key to sign with */
  async issue({ projectId, visitor, rule, page, ofPath }: Granted): Promise<string> {
    const signer = await this.#keys.signer()
    const issuedAt = Math.floor(Date.now() / 1_000)
    const claims = {
      rule_id: rule?.publicId ?? null,
      covers: ofPath || rule === undefined ? 'path' : 'rule',
      ...(page.host !== undefined && { host: page.host }),
      path: page.path,
    }
    const grant = new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: TYPE, kid: signer.id })
      .setIssuer(this.#issuer)
      .setAudience(toId('project', projectId))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + GRANT_SECONDS)
    if (visitor) grant.setSubject(toId('member', visitor.memberId))
    return grant.sign(signer.privateKey)
  }
}
