import { invalidField } from '#platform/errors.ts'
import { allowedRedirect } from '#platform/values/redirect-url.ts'

/** @throws ApiError 422 where the project's list does not allow it */
export function assertRedirect(url: string, allowed: readonly string[]): string
export function assertRedirect(url: string | undefined, allowed: readonly string[]): string | null
export function assertRedirect(url: string | undefined, allowed: readonly string[]): string | null {
  if (url === undefined) return null
  const redirect = allowedRedirect(url, allowed)
  if (redirect === undefined)
    throw invalidField(
      'redirect_url',
      'allowed',
      'is not allowed by this project. An operator adds it with `project set --redirect-urls`',
    )
  return redirect
}
