import { GuildhallError, type OwnProof } from '../../../../sdk/src/guildhall.ts'
import { h } from '../../base/dom.ts'
import { field } from '../../base/fields.ts'
import { form } from '../../base/form.ts'
import type { Account, Place, Section } from '../section.ts'

/** The archive of what is held about the member, and the end of the account. */
export const data: Section = async (account, place) => {
  showChoices(account, place)
}

function showChoices(account: Account, place: Place): void {
  const { say, guildhall } = account
  const request = async (proof: OwnProof) => {
    await guildhall.user.exportData(proof)
    showChoices(account, place)
    place.say(say('exported'))
  }
  const ask = async () => {
    try {
      await request({})
    } catch (error) {
      // After a log-in of the last minutes nothing more is asked for.
      if (!(error instanceof GuildhallError && error.code === 'RECENT_LOGIN_REQUIRED')) throw error
      showProof(account, place, { words: say('exportHelp'), submit: say('export'), act: request })
    }
  }
  const remove = async () =>
    showProof(account, place, {
      words: say('deleteHelp'),
      submit: say('deleteYes'),
      act: (proof) => end(account, proof),
      isDanger: true,
    })
  place.show(
    h('p', {}, say('exportHelp')),
    h('div', { class: 'actions' }, place.button(say('export'), ask)),
    h('p', { class: 'hr' }, say('deleteHelp')),
    h('div', { class: 'actions' }, place.button(say('delete'), remove, 'button danger')),
  )
}

async function end({ guildhall, connection, emit }: Account, proof: OwnProof): Promise<void> {
  await guildhall.user.profile.delete(proof)
  await connection.session.end()
  emit('logout', { deleted: true })
}

interface Asked {
  readonly words: string
  readonly submit: string
  readonly act: (proof: OwnProof) => Promise<void>
  readonly isDanger?: boolean
}

/** Asks for the password, or for a code of members without one. */
function showProof(account: Account, place: Place, { words, submit, act, isDanger }: Asked): void {
  const { say } = account
  const password = field(say, {
    ...{ name: 'password', label: say('password'), type: 'password' },
    attributes: { autocomplete: 'current-password', maxlength: 128 },
  })
  const code = field(say, {
    ...{ name: 'code', label: say('confirmCode') },
    attributes: { autocomplete: 'one-time-code', maxlength: 32 },
  })
  const entry = form(say, {
    ...{ fields: [password, code], submit, label: submit },
    act: ({ password: known, code: shown }) =>
      act({ ...(known && { password: known }), ...(shown && { code: shown }) }),
  })
  if (isDanger) entry.querySelector('button')?.classList.replace('primary', 'danger')
  const back = place.button(say('cancel'), async () => {
    showChoices(account, place)
    place.focus()
  })
  entry.querySelector('.actions')?.append(back)
  place.clear()
  place.show(h('p', {}, words), h('p', { class: 'muted' }, say('proof')), entry)
  password.focus()
}
