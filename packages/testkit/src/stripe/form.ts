/** A form's fields, nested as their names say: `metadata[a]=1` is `{metadata: {a: '1'}}`. */
export interface Form {
  [field: string]: string | Form
}

/** Reads what Stripe's package sends. */
export function readForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''))
    const last = path.pop() ?? ''
    let at = form
    for (const part of path) {
      const inner = at[part]
      const next: Form = typeof inner === 'object' ? inner : {}
      at[part] = next
      at = next
    }
    at[last] = value
  }
  return form
}
