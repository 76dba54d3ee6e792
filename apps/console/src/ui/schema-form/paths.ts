import type { Draft, DraftValue } from './values.ts'

/** `tiers[0].price` is, for all rows, `tiers[].price`. */
export const patternOf = (path: string): string => path.replaceAll(/\[\d+\]/g, '[]')

const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter((step) => step !== '')

/** A draft with another value at a path such as `tiers[0].price`. */
export function withValue(draft: Draft, path: string, value: DraftValue): Draft {
  return set(draft, stepsOf(path), value) as Draft
}

function set(at: DraftValue, [step, ...rest]: string[], value: DraftValue): DraftValue {
  if (step === undefined) return value
  if (Array.isArray(at)) return at.map((each, i) => (String(i) === step ? set(each, rest, value) : each))
  const inner = (at ?? {}) as Draft
  return { ...inner, [step]: set(inner[step] ?? '', rest, value) }
}
