/**
 * The headers of every answer of the API. JSON is no page, so it may not be framed or run, and its type may not be
 * guessed. Each header costs a request about 1 % of its time, so headers that matter only to pages are sent only with
 * pages.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}
