/** What a project pays for; it decides how many requests each of its keys may make. */
export type Tier = 'free' | 'pro' | 'business' | 'enterprise'
export const TIERS: readonly Tier[] = ['free', 'pro', 'business', 'enterprise']

/** Requests per minute and key. An enterprise project without a limit of its own gets ten times Business. */
const LIMITS: Record<Tier, number> = { free: 60, pro: 300, business: 1_000, enterprise: 10_000 }

/** Requests per minute of each key of a project; its own limit, where it has one, goes before the tier's. */
export const limitOf = (tier: Tier, ownLimit: number | null): number => ownLimit ?? LIMITS[tier]
