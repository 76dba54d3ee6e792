/**
 * What commands need to find an installation; unset where they look for the launcher's. In a file of its own, because the
 * whole configuration takes longer to load than most commands run.
 */
// biome-ignore lint/style/noProcessEnv: with config.ts, where configuration enters
export function readPlace(environment: Record<string, string | undefined> = process.env) {
  const { DATABASE_URL, DATABASE_DIRECT_URL, SECRET_KEY, DATA_DIR } = environment
  return {
    DATABASE_URL: DATABASE_URL || undefined,
    DATABASE_DIRECT_URL: DATABASE_DIRECT_URL || undefined,
    SECRET_KEY: SECRET_KEY || undefined,
    DATA_DIR: DATA_DIR || '.data',
  }
}
