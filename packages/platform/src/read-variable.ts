import { type TSchema, Type } from 'typebox'

/** What a variable's text says; the text itself where it does not say anything of that type. */
export function readVariable(text: string, schema: TSchema): unknown {
  if (Type.IsInteger(schema) && /^-?\d+$/.test(text)) return Number(text)
  if (Type.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
