import { field } from '../../base/fields.ts'
import { form } from '../../base/form.ts'
import type { Section } from '../section.ts'

/** A new password in place of the present one. */
export const password: Section = async ({ say, guildhall }, place) => {
  const current = field(say, {
    ...{ name: 'current_password', label: say('currentPassword'), type: 'password', required: true },
    attributes: { autocomplete: 'current-password', maxlength: 128 },
  })
  const next = field(say, {
    ...{
      name: 'password',
      label: say('newPassword'),
      type: 'password',
      required: true,
      help: say('passwordHelp'),
    },
    attributes: { autocomplete: 'new-password', maxlength: 128, minlength: 10 },
  })
  const entry = form(say, {
    ...{ fields: [current, next], submit: say('changePassword'), label: say('password') },
    act: async ({ current_password = '', password: chosen = '' }) => {
      place.clear()
      await guildhall.auth.password.change({ current_password, password: chosen })
      entry.reset()
      place.say(say('passwordChanged'))
    },
  })
  place.show(entry)
}
