/** The tier of a project decides how many requests each of its keys may make. */
export type Tier = 'free' | 'pro' | 'business' | 'enterprise'
export const TIERS: readonly Tier[] = ['free', 'pro', 'business', 'enterprise']

/** Requests per minute and key. An enterprise project without its own limit gets ten times the limit of Business. */
const LIMITS: Record<Tier, number> = { free: 60, pro: 300, business: 1_000, enterprise: 10_000 }

/** Requests per minute for each key of a project: the limit of the project, or that of its tier. */
export const limitOf = (tier: Tier, ownLimit: number | null): number => ownLimit ?? LIMITS[tier]
