import Stripe from 'stripe'

/** How many keys are tried for one thing. Each fault of Stripe uses one up for a day. */
const MOST_KEYS = 20

/**
 * Creates one thing for all who ask with the same key. Stripe keeps its answer to a key for a day and repeats it, also
 * where the answer was a fault of its own. Then the next key is tried; the keys are the same for everybody, so that all
 * get the same thing. A fault may leave something behind that is never used, so this is only for things that move no
 * money by themselves.
 */
export async function createOnce<T>(
  key: string,
  create: (options: { idempotencyKey: string }) => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await create({ idempotencyKey: number === 1 ? key : `${key}-${number}` })
    } catch (error) {
      if (number === MOST_KEYS || !isRepeatedFault(error)) throw error
    }
  }
}

/** Whether Stripe has repeated a fault of its own that it answered before. */
const isRepeatedFault = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError &&
  (error.statusCode ?? 0) >= 500 &&
  error.headers?.['idempotent-replayed'] === 'true'
