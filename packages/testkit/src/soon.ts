/**
 * For `vi.waitFor`: what is waited for comes at once, or within a lease and a sweep. On a busy machine, and while other
 * tests write on the same server, it may take much longer.
 */
export const SOON = { timeout: 60_000, interval: 20 }
