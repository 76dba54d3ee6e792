import { type Detail, GuildhallError } from '../../../sdk/src/guildhall.ts'
import { type CommonKey, texts } from './common.en.ts'

/** Says a text of the element by its name. */
export type Say = (key: CommonKey, values?: Readonly<Record<string, string | number>>) => string

/** Why something failed, in words for people. */
export function inWords(say: Say, error: unknown): string {
  if (!(error instanceof GuildhallError)) return error instanceof Error ? error.message : String(error)
  const { code, status = 0 } = error
  if (status === 429) return say('RATE_LIMITED', { seconds: error.retryAfter ?? 60 })
  if (status >= 500 || code === 'NOT_JSON') return say('SERVER_FAULT', { id: error.requestId ?? '–' })
  if (status === 0) return say('NO_ANSWER')
  if (code in texts) return say(code as CommonKey)
  // The API's own sentences are for people, too, but in English.
  return error.details.length > 0 ? say('faults') : error.message
}

/** The texts for rules of the API whose message has a figure, or none. */
const RULES: Readonly<Record<string, CommonKey>> = {
  required: 'required',
  min_length: 'tooShort',
  minLength: 'tooShort',
  max_length: 'tooLong',
  maxLength: 'tooLong',
  min: 'tooLow',
  max: 'tooHigh',
  pattern: 'pattern',
  common: 'commonPassword',
  allowed_types: 'fileType',
}

/** What is wrong with a field, in words for people. */
export function faultInWords(say: Say, { rule, message }: Detail): string {
  const [figure = ''] = /\d[\d.-]*/.exec(message) ?? []
  if (rule === 'format' && message.includes('email')) return say('email')
  if (rule === 'format' && message.includes('URL')) return say('url')
  if (rule === 'max_size') return say('fileSize', { max: Math.floor(Number(figure) / 104_857.6) / 10 })
  if (/^min_?length$/i.test(rule) && figure === '1') return say('required')
  const key = message.includes('options') ? undefined : RULES[rule]
  if (key !== undefined) return say(key, { min: figure, max: figure })
  return message.charAt(0).toUpperCase() + message.slice(1)
}
