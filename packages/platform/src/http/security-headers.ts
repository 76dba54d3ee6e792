/**
 * What every answer of the API carries: JSON is no page, so nothing may frame it, run in it or guess its type. The
 * full set of @fastify/helmet costs a tenth of a request and speaks to pages only; /docs has it.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
