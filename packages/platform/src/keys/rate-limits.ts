/** The tier of a project decides how many requests each of its keys may make. */
export type Tier = 'free' | 'pro' | 'business' | 'enterprise'
export const TIERS: readonly Tier[] = ['free', 'pro', 'business', 'enterprise']

/** Requests per minute and key. An enterprise project without its own limit gets ten times the limit of Business. */
const OF_TIERS: Readonly<Record<Tier, number>> = { free: 60, pro: 300, business: 1_000, enterprise: 10_000 }

/** Requests per minute in one environment of a project. docs/limits.md describes all of them. */
export interface RateLimits {
  /** With one API key. */
  readonly key: number
  /** Of one client address with one public key: all visitors of a site send the same key. */
  readonly visitor: number
  /** Page views and events of one client address with one public key; they do not count as `visitor` or `key`. */
  readonly analytics: number
  /** With the tokens of one member. */
  readonly member: number
  /** Of one client address at authentication endpoints. */
  readonly authentication: number
}

/** The limits that an operator sets by name; the limit of a key is `rate_limit`. */
export const LIMIT_NAMES = ['visitor', 'analytics', 'member', 'authentication'] as const
/** What an operator has set in place of the defaults. */
export type OwnLimits = { readonly [Name in (typeof LIMIT_NAMES)[number]]?: number }

/** The share of a public key's limit that one client address has. */
const VISITORS_SHARE = 1 / 3
/** Requests per minute of a member, where the project has no limit of its own. */
export const MEMBER_LIMIT = 100
export const AUTHENTICATION_LIMIT = 20
/** An office behind one address reads many pages a minute. */
const ANALYTICS_LIMIT = 600

/** Requests per minute for each key of a project: the limit of the project, or that of its tier. */
export const limitOf = (tier: Tier, ownLimit: number | null): number => ownLimit ?? OF_TIERS[tier]

/** All limits of a project. */
export function rateLimitsOf(tier: Tier, ownLimit: number | null, own: OwnLimits): RateLimits {
  const key = limitOf(tier, ownLimit)
  return {
    key,
    visitor: own.visitor ?? Math.max(1, Math.ceil(key * VISITORS_SHARE)),
    analytics: own.analytics ?? ANALYTICS_LIMIT,
    member: own.member ?? MEMBER_LIMIT,
    authentication: own.authentication ?? AUTHENTICATION_LIMIT,
  }
}
