/** Clients that ask at the same time. */
export const CONNECTIONS = 32
