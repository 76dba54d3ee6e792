import { fileURLToPath } from 'node:url'

/** The counterpart, a process of its own. */
export const script = fileURLToPath(new URL('bare.ts', import.meta.url))
