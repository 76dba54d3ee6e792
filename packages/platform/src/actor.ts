/** Who acts on a project's data: the credential behind a request, or a process of ours. */
export type Actor =
  | { readonly kind: 'secret_key' | 'public_key'; readonly id: string }
  | { readonly kind: 'operator' | 'system' }
