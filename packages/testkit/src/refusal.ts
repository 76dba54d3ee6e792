/** A refusal in short: its status and its code, such as `422 VALIDATION_ERROR`. */
export const refusalOf = ({ status, body }: { readonly status: number; readonly body: unknown }): string =>
  `${status} ${(body as { code?: string } | undefined)?.code}`
