import type { ErrorText } from './error-text.ts'

/** The errors that nearly every operation can answer, with what is needed to mend a request. */
export const PLATFORM_ERRORS: Readonly<Record<string, ErrorText>> = {
  INVALID_JSON: {
    cause: 'The body is not valid JSON, or the request ended before its body did',
    cure: 'Send the body with a JSON library, in UTF-8. The message says where the fault is.',
  },
  INVALID_PARAMETERS: {
    cause:
      'The path or the query of the request is wrong: a parameter is unknown, malformed or out of its range',
    cure: 'Correct the parameters that `details` lists. The page of the operation has all parameters with their limits.',
  },
  UNSUPPORTED_CONTENT_TYPE: {
    cause: 'The body has another type than the operation takes',
    cure: 'Send `Content-Type: application/json`, or `multipart/form-data` where the page of the operation says so.',
  },
  AUTH_REQUIRED: {
    cause: 'The request has no credential',
    cure: 'Send the header `Authorization: Bearer <key>` with an API key or with the access token of a member.',
  },
  INVALID_TOKEN: {
    cause: 'The credential is malformed, unknown, revoked or expired; `reason` says which',
    cure: 'For an API key, use another key. For an access token that is `expired`, call `POST /auth/refresh`; for every other reason the member logs in again.',
  },
  INSUFFICIENT_PERMISSIONS: {
    cause: 'The credential is valid but does not allow this operation, or not from this address or origin',
    cure: 'Use a key that has the permission or the capability that the message names. The page of the operation lists the credentials that can call it.',
  },
  PROJECT_SUSPENDED: {
    cause: 'The operators of this installation have suspended the project: no key, token or page of it works',
    cure: 'Ask the operators to resume it. Nothing is lost: webhooks, mails and scheduled work go on then.',
  },
  OPERATOR_SESSION: {
    cause: 'An operator is logged in as the member, and only the member may do this',
    cure: 'Ask the member to do it. An operator changes members with a key or an operator token instead.',
  },
  MEMBER_SUSPENDED: {
    cause: 'The member is suspended and cannot write; `reason` says why, and `until` when it ends',
    cure: 'Show `reason` and `until` to the member. A moderator can end the suspension earlier.',
  },
  NOT_FOUND: {
    cause: 'There is no such resource in the project of this credential, or no such path',
    cure: 'Check the id, and check that the key belongs to the same project and environment: live and test share no data.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'The first request with this `Idempotency-Key` is still being handled',
    cure: 'Wait for the seconds in `Retry-After`, then repeat the same request with the same key.',
  },
  IDEMPOTENCY_MISMATCH: {
    cause: 'This `Idempotency-Key` was used for another request within the last 24 hours',
    cure: 'Send a new key for every new request. Use the same key only to repeat the same request.',
  },
  CHANGED_MEANWHILE: {
    cause:
      'The resource has another `ETag` than `If-Match`: somebody changed it after you read it. Nothing was done',
    cure: 'Get the resource again, apply your change to it, and send the new `ETag`.',
  },
  PAYLOAD_TOO_LARGE: {
    cause: 'The body is larger than 1 MiB, or the file is larger than an upload can be',
    cure: 'Send less at once. Large files go to storage by an upload URL.',
  },
  VALIDATION_ERROR: {
    cause: 'The body has fields that are missing, unknown, of a wrong type or out of their limits',
    cure: 'Correct the fields that `details` lists: each entry has the field, the rule and what was expected.',
  },
  RATE_LIMITED: {
    cause: 'Too many requests within a time, or at the same time; `limit` names the limit and what it counts',
    cure: 'Wait for the seconds in `Retry-After`. Spread requests over the minute, read lists by pages of 100, and use webhooks in place of polling.',
  },
  INTERNAL_ERROR: {
    cause: 'A fault on our side; it is in our log under the `request_id`',
    cure: 'Try again with the same `Idempotency-Key`. If it stays, send the `request_id` to the operator of this installation.',
  },
  UNAVAILABLE: {
    cause: 'A part of the installation cannot be reached now, or too much work is waiting',
    cure: 'Wait for the seconds in `Retry-After`, then repeat the request with the same `Idempotency-Key`.',
  },
  PROJECT_MOVING: {
    cause: 'The project is being moved to another installation, and its writes are held for some seconds',
    cure: 'Send the same request again after the seconds that `Retry-After` says. A write that was refused has changed nothing.',
  },
  PROJECT_MOVED: {
    cause:
      'The project has moved to another installation a moment ago, and this process does not know where to yet',
    cure: 'Wait for the seconds in `Retry-After`, then repeat the request at the same address with the same `Idempotency-Key`.',
  },
  CELL_UNAVAILABLE: {
    cause:
      'The project lives in another installation, which cannot be reached now or has too many requests from here',
    cure: 'Wait for the seconds in `Retry-After`, then repeat the request with the same `Idempotency-Key`: the first one may have been done.',
  },
}
