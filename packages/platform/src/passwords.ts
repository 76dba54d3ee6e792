import { hash, verify } from '@node-rs/argon2'

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. Runs on libuv's threads. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const PASSWORD_LENGTH = { minLength: 10, maxLength: 128 }

/** Argon2id, in the PHC string format. Takes tens of milliseconds: never inside a transaction. */
export const hashPassword = (password: string): Promise<string> => hash(password, PARAMETERS)

export const verifyPassword = (storedHash: string, password: string): Promise<boolean> =>
  verify(storedHash, password)
