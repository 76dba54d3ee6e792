/** How the API's document shows that a POST can be repeated safely. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat a request. For 24 hours, the same request with the same key gets the answer of the first request, with `Idempotent-Replayed: true`. Send any text that none of your other requests has, such as a random UUID. Answers 5xx, 400, 409, 429 and `VALIDATION_ERROR` are not kept: correct the request and use the same key.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '0192f0c4-5d0a-7a51-9c56-0242ac120002',
}

/** Codes of 422 that a key adds to an operation's own. */
export const IDEMPOTENCY_ERRORS = {
  IDEMPOTENCY_MISMATCH: 'This Idempotency-Key was used for another request: send another key',
}
