/** An address as it is stored: trimmed, its domain in lower case. Addresses are compared without case. */
export function normalizeEmail(address: string): string {
  const trimmed = address.trim()
  const at = trimmed.lastIndexOf('@')
  return trimmed.slice(0, at) + trimmed.slice(at).toLowerCase()
}
