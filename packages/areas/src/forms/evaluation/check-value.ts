import { isCommon, PASSWORD_LENGTH } from '#platform/secrets/passwords.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import type { Field, FieldType } from '../builder/field-schema.ts'
import { compilePattern, MATCHED_LENGTH } from '../builder/pattern.ts'
import type { Value } from '../submissions/schema.ts'

/** What a value is not: the rule that it breaks, and what is expected. */
export class Misfit {
  readonly rule: string
  readonly message: string
  constructor(rule: string, message: string) {
    this.rule = rule
    this.message = message
  }
}

/** Takes a value that is not empty, and answers it as it is stored. */
export type Check = (value: unknown) => Value | Misfit

/** Characters of a text where its field says nothing. */
const LENGTHS: Partial<Record<FieldType, number>> = { text: 1_000, hidden: 2_000, url: 2_048, phone: 40 }
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i
const EMAIL_LENGTH = 254
const PHONE = /^\+?[0-9 ()./-]{3,39}$/
const PHONE_DIGITS = { least: 5, most: 15 }
const RATING = 5

/** Makes the check of a field once; files are checked apart. */
export function checkOf(field: Field): Check {
  switch (field.type) {
    case 'number':
    case 'rating':
      return numberCheck(field)
    case 'date':
      return dateCheck(field)
    case 'checkbox':
    case 'consent':
      return booleanCheck(field)
    case 'select':
    case 'radio':
      return choiceCheck(field)
    case 'multi_select':
      return choicesCheck(field)
    default:
      return textCheck(field)
  }
}

const notA = (what: string) => new Misfit('type', `must be ${what}`)

function textCheck({ type, validation = {} }: Field): Check {
  const pattern = validation.pattern === undefined ? undefined : compilePattern(validation.pattern)
  if (typeof pattern === 'string') throw new Error(`a stored pattern ${pattern}`)
  const most = mostCharacters(type, validation.max_length, pattern !== undefined)
  const least = Math.max(validation.min_length ?? 0, type === 'password' ? PASSWORD_LENGTH.minLength : 0)
  return (value) => {
    if (typeof value !== 'string') return notA('a text')
    const text = type === 'email' ? normalizeEmail(value) : value
    const length = lengthOf(text)
    if (length > most) return new Misfit('max_length', `must have at most ${most} characters`)
    if (length < least) return new Misfit('min_length', `must have at least ${least} characters`)
    const misfit = shapeMisfit(type, text)
    if (misfit) return misfit
    if (pattern && !pattern.matches(text)) return new Misfit('pattern', 'must match the pattern of its field')
    return text
  }
}

function mostCharacters(type: FieldType, given: number | undefined, isMatched: boolean): number {
  const usual = type === 'email' ? EMAIL_LENGTH : (LENGTHS[type] ?? 20_000)
  const most = type === 'email' ? Math.min(usual, given ?? usual) : (given ?? usual)
  const bound = type === 'password' ? PASSWORD_LENGTH.maxLength : isMatched ? MATCHED_LENGTH : most
  return Math.min(most, bound)
}

/** Characters as people count them, as far as Unicode's code points go. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

function shapeMisfit(type: FieldType, text: string): Misfit | undefined {
  switch (type) {
    case 'email':
      return EMAIL.test(text) ? undefined : new Misfit('format', 'must be an email address')
    case 'url':
      return isWebUrl(text) ? undefined : new Misfit('format', 'must be an http or https URL')
    case 'phone':
      return isPhone(text) ? undefined : new Misfit('format', 'must be a phone number')
    case 'password':
      return isCommon(text) ? new Misfit('common', 'is too common: choose another one') : undefined
    default:
      return undefined
  }
}

const isWebUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  return PHONE.test(text) && digits >= PHONE_DIGITS.least && digits <= PHONE_DIGITS.most
}

function numberCheck({ type, validation = {} }: Field): Check {
  const isRating = type === 'rating'
  const least = isRating ? 1 : validation.min
  const most = validation.max ?? (isRating ? RATING : undefined)
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return notA('a number')
    if (isRating && !Number.isInteger(value)) return notA('a whole number')
    if (least !== undefined && value < Number(least)) return new Misfit('min', `must be ${least} or more`)
    if (most !== undefined && value > Number(most)) return new Misfit('max', `must be ${most} or less`)
    return value
  }
}

/** Whether a text is a day of the calendar, like 2026-11-21. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function dateCheck({ validation = {} }: Field): Check {
  const { min, max } = validation
  return (value) => {
    if (typeof value !== 'string' || !isDate(value)) return notA('a date like 2026-11-21')
    if (min !== undefined && value < String(min)) return new Misfit('min', `must not be before ${min}`)
    if (max !== undefined && value > String(max)) return new Misfit('max', `must not be after ${max}`)
    return value
  }
}

function booleanCheck({ required, label }: Field): Check {
  return (value) => {
    if (typeof value !== 'boolean') return notA('true or false')
    if (required === true && !value) return new Misfit('required', `must be ticked: ${label}`)
    return value
  }
}

const valuesOf = (field: Field): Set<string> => new Set(field.options?.map(({ value }) => value))
/** Options are listed up to here; more would make a large answer. */
const SHOWN = 20

function choiceMisfit(values: ReadonlySet<string>): Misfit {
  const shown = [...values].slice(0, SHOWN).join(', ')
  return new Misfit('option', `must be one of: ${shown}${values.size > SHOWN ? ', …' : ''}`)
}

function choiceCheck(field: Field): Check {
  const values = valuesOf(field)
  return (value) => (typeof value === 'string' && values.has(value) ? value : choiceMisfit(values))
}

function choicesCheck(field: Field): Check {
  const values = valuesOf(field)
  const { min = 0, max = values.size } = field.validation ?? {}
  return (value) => {
    if (!Array.isArray(value)) return notA('a list of options')
    const chosen = [...new Set(value)]
    if (!chosen.every((each) => typeof each === 'string' && values.has(each))) return choiceMisfit(values)
    if (chosen.length < Number(min)) return new Misfit('min', `must have at least ${min} of the options`)
    if (chosen.length > Number(max)) return new Misfit('max', `must have at most ${max} of the options`)
    // In the order of the form, so that the same choices are the same value.
    return [...values].filter((each) => chosen.includes(each))
  }
}
