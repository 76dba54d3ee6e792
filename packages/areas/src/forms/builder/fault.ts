/** A fault below a field, like `validation.min`; empty for the field itself. */
export type Fault = readonly [place: string, rule: string, message: string]
