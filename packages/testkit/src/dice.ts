/** A seed for this run: tests have it in their names. */
export const anySeed = (): number => Math.floor(Math.random() * 2 ** 31)
