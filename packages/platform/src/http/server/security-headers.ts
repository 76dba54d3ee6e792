/**
 * What every answer of the API carries: JSON is no page, so nothing may frame it, run in it or guess its type. Each
 * header costs a request about a hundredth of its time, so those that speak to pages only are left to the pages.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}
