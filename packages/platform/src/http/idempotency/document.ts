/** How the API's document shows that a POST can be repeated safely. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeats a request safely: for 24 hours, the same key with the same request answers what the first one was ' +
    'answered, with `Idempotent-Replayed: true`. Any text that no other request of yours has, such as a random UUID. ' +
    'Not kept are answers 5xx and those to requests that were not fit to be handled (400, 409, 429 and ' +
    '`VALIDATION_ERROR`): mend them and use the same key.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '0192f0c4-5d0a-7a51-9c56-0242ac120002',
}

/** Codes of 422 that a key adds to an operation's own. */
export const IDEMPOTENCY_ERRORS = {
  IDEMPOTENCY_MISMATCH: 'This Idempotency-Key was used for another request',
}
