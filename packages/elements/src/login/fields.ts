import type { CommonKey } from '../base/common.en.ts'
import { type Field, field } from '../base/fields.ts'
import type { LoginKey } from './texts.en.ts'

type Say = (key: LoginKey | CommonKey, values?: Readonly<Record<string, string | number>>) => string

/** Nobody wants these corrected or begun with a capital letter. */
const VERBATIM = { autocapitalize: 'none', spellcheck: 'false' }

/** The field of an address, filled in with the one that was entered last. */
export const emailField = (say: Say, value: string): Field =>
  field(say, {
    ...{ name: 'email', label: say('address'), type: 'email', required: true, value },
    attributes: { autocomplete: 'username', maxlength: 254, ...VERBATIM },
  })

/** @param isNew a password that is chosen now, which has rules */
export const passwordField = (say: Say, isNew: boolean): Field =>
  field(say, {
    ...{ name: 'password', type: 'password', required: true },
    label: say(isNew ? 'newPassword' : 'password'),
    ...(isNew && { help: say('passwordHelp') }),
    attributes: {
      autocomplete: isNew ? 'new-password' : 'current-password',
      maxlength: 128,
      minlength: isNew && 10,
    },
  })

/** The field of a code of a mail or an app. */
export const codeField = (say: Say, label: LoginKey, help?: LoginKey): Field =>
  field(say, {
    ...{ name: 'code', label: say(label), required: true, ...(help && { help: say(help) }) },
    attributes: { autocomplete: 'one-time-code', maxlength: 32, ...VERBATIM },
  })
