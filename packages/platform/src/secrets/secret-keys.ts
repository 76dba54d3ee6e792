/** SECRET_KEY, and during a rotation the other one, by which is still checked and opened what it made. */
export interface SecretKeys {
  readonly SECRET_KEY: string
  /** The key of before the rotation, for 90 days. */
  readonly SECRET_KEY_OLD?: string | undefined
  /** The key of after a rotation that is prepared: others may use it already. */
  readonly SECRET_KEY_NEW?: string | undefined
}

/** All keys, the one in use first. */
export const allOf = ({ SECRET_KEY, SECRET_KEY_OLD, SECRET_KEY_NEW }: SecretKeys): readonly string[] =>
  [SECRET_KEY, SECRET_KEY_OLD, SECRET_KEY_NEW].filter((key) => key !== undefined)

/**
 * The key of names that all processes must agree on at each moment, such as those in Redis: it changes when SECRET_KEY_OLD is taken
 * away, and not while processes are restarted with a new key.
 */
export const elderOf = ({ SECRET_KEY, SECRET_KEY_OLD }: SecretKeys): string => SECRET_KEY_OLD ?? SECRET_KEY

/** The keys alone, of settings that have more. */
export const keysOf = ({ SECRET_KEY, SECRET_KEY_OLD, SECRET_KEY_NEW }: SecretKeys): SecretKeys => ({
  ...{ SECRET_KEY, SECRET_KEY_OLD, SECRET_KEY_NEW },
})
