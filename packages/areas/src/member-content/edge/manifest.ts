import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { CompactSign } from 'jose'
import { toId } from '#platform/ids.ts'
import { type EventLoopTurns, LARGE_JSON, type Slices } from '#platform/threads/event-loop-turns.ts'
import type { Signer, SigningKeys } from '#platform/tokens/signing-keys.ts'
import type { CompiledRule, CompiledRules } from '../checks/compiled-rules.ts'
import { manifestTooLarge } from '../errors.ts'

/** Nothing else that we sign can be taken for a manifest. */
const TYPE = 'content-manifest+jws'

/** All active rules of a project, signed. */
export interface Manifest {
  /** Follows from the rules and the key: two processes that know the same answer the same. */
  readonly etag: string
  readonly jws: string
}

interface Signed {
  readonly keyId: string
  readonly manifest: Promise<Manifest>
}

/** Signs the rules of projects: once for as long as rules and key stay what they are. */
export class Manifests {
  readonly #keys: SigningKeys
  readonly #issuer: string
  readonly #turns: EventLoopTurns
  readonly #signed = new WeakMap<CompiledRules, Signed>()

  constructor(keys: SigningKeys, issuer: string, turns: EventLoopTurns) {
    this.#turns = turns
    this.#keys = keys
    this.#issuer = issuer
  }

  /** @throws ApiError 422 for rules that are too large, 503 where there is no key to sign with */
  async of(projectId: string, compiled: CompiledRules): Promise<Manifest> {
    const signer = await this.#keys.signer()
    const known = this.#signed.get(compiled)
    // Those who ask at the same time wait for the same one.
    if (known?.keyId === signer.id) return known.manifest
    const manifest = this.#sign(projectId, compiled, signer)
    this.#signed.set(compiled, { keyId: signer.id, manifest })
    manifest.catch(() => this.#signed.delete(compiled))
    return manifest
  }

  async #sign(projectId: string, compiled: CompiledRules, signer: Signer): Promise<Manifest> {
    const rules = await rulesAsJson(compiled, this.#turns.begin({ projectId }))
    // To sign the longest takes 35 ms.
    if (rules.length > LARGE_JSON) await this.#turns.next({ projectId })
    const head = JSON.stringify({ iss: this.#issuer, aud: toId('project', projectId) })
    const content = `${head.slice(0, -1)},"rules":${rules}}`
    const etag = `"${createHash('sha256').update(`${signer.id}\n${content}`).digest('base64url')}"`
    const jws = await new CompactSign(new TextEncoder().encode(content))
      .setProtectedHeader({ alg: 'ES256', typ: TYPE, kid: signer.id })
      .sign(signer.privateKey)
    return Object.freeze({ etag, jws })
  }
}

/** Of the rules as JSON: some five thousand with usual patterns. In base64 they are a third longer. */
const MOST_BYTES = 2 * 1024 * 1024

/** @throws ApiError 422 where they are too large, 503 where too many wait for their next slice */
async function rulesAsJson({ rules }: CompiledRules, slices: Slices): Promise<string> {
  const texts: string[] = []
  let bytes = 0
  for (const rule of rules) {
    if (slices.isOver) await slices.next()
    const text = JSON.stringify(toManifest(rule))
    bytes += Buffer.byteLength(text)
    if (bytes > MOST_BYTES) throw manifestTooLarge()
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

const toManifest = (rule: CompiledRule) => ({
  id: rule.publicId,
  url_pattern: rule.urlPattern,
  required_plans: rule.requiredPlans,
  features: rule.features,
  after_days: rule.afterDays === 0 ? null : rule.afterDays,
  free_views: rule.freeViews === 0 ? null : rule.freeViews,
  redirect_url: rule.redirectUrl,
  created_at: rule.createdAt,
})
