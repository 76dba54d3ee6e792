import type { BegunFactor, Factor } from '../../../../sdk/src/guildhall.ts'
import { h } from '../../base/dom.ts'
import { field } from '../../base/fields.ts'
import { form } from '../../base/form.ts'
import { type Account, dayOf, type Place, type Section } from '../section.ts'

const canAddPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** The authenticator apps and passkeys of the member. */
export const factors: Section = async (account, place) => {
  const { guildhall, signal } = account
  showFactors(account, place, await guildhall.auth.mfa.factors.list({ signal }))
}

function showFactors(account: Account, place: Place, list: readonly Factor[]): void {
  const { say, guildhall } = account
  const again = async () => showFactors(account, place, await guildhall.auth.mfa.factors.list())
  const addApp = async () =>
    showApp(account, place, await guildhall.auth.mfa.totp.begin({ name: say('app') }))
  const newCodes = async () => {
    const { recovery_codes: codes } = await guildhall.auth.mfa.recoveryCodes.create()
    showCodes(account, place, codes)
  }
  const hasApp = list.some(({ type }) => type === 'totp')
  place.show(
    h('p', { class: 'muted' }, say('factorsHelp')),
    list.length > 0 &&
      h('ul', { class: 'list' }, ...list.map((factor) => row(account, place, factor, again))),
    h(
      'div',
      { class: 'actions' },
      place.button(say('addApp'), addApp),
      canAddPasskeys() && place.button(say('addPasskey'), () => addPasskey(account, place, again)),
      hasApp && place.button(say('newCodes'), newCodes),
    ),
  )
}

function row(account: Account, place: Place, factor: Factor, again: () => Promise<void>): HTMLElement {
  const { say, guildhall } = account
  const { id, type, name, created_at, last_used_at } = factor
  const remove = place.button(
    say('remove'),
    async () => {
      await guildhall.auth.mfa.factors.delete(id)
      await again()
      place.focus()
    },
    'button small',
  )
  remove.setAttribute('aria-label', `${say('remove')}: ${name}`)
  const kind = say(type === 'totp' ? 'app' : 'passkey')
  const added = say('added', { date: dayOf(account, created_at) })
  const used = last_used_at === null ? say('neverUsed') : say('used', { date: dayOf(account, last_used_at) })
  return h(
    'li',
    {},
    h(
      'div',
      {},
      h('strong', {}, name),
      h('span', { class: 'muted' }, `${name === kind ? '' : `${kind}, `}${added}, ${used}`),
    ),
    remove,
  )
}

/** Shows the secret of a new app, and takes its first code. */
function showApp(account: Account, place: Place, begun: BegunFactor): void {
  const { say, guildhall } = account
  const picture = h('div')
  // Only who adds an app needs what draws the picture.
  import('../qr.ts').then(
    ({ qrOf }) => picture.replaceChildren(qrOf(begun.uri, say('qr'))),
    (error) => place.complain(error),
  )
  const code = field(say, {
    ...{ name: 'code', label: say('confirmCode'), required: true },
    attributes: { inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 10 },
  })
  const entry = form(say, {
    ...{ fields: [code], submit: say('confirm'), label: say('addApp') },
    act: async ({ code: entered = '' }) => {
      const proof = { factor_id: begun.id, code: entered.replace(/\s/g, '') }
      const { recovery_codes: codes } = await guildhall.auth.mfa.totp.verify(proof)
      if (codes.length > 0) return showCodes(account, place, codes)
      await factors(account, place)
      place.say(say('saved'))
    },
  })
  entry.querySelector('.actions')?.append(place.button(say('cancel'), () => factors(account, place)))
  place.show(
    h('p', {}, say('scan')),
    picture,
    h('p', {}, `${say('secret')}: `, h('span', { class: 'secret', dir: 'ltr' }, grouped(begun.secret))),
    entry,
  )
  code.focus()
}

const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** Recovery codes are shown once. */
function showCodes(account: Account, place: Place, codes: readonly string[]): void {
  const { say } = account
  const title = h('h4', { tabindex: -1 }, say('codes'))
  place.show(
    title,
    h('p', {}, say('codesHelp')),
    h('ul', { class: 'codes panel', dir: 'ltr' }, ...codes.map((code) => h('li', {}, code))),
    h(
      'div',
      { class: 'actions' },
      place.button(
        say('codesKept'),
        () => factors(account, place).then(() => place.focus()),
        'button primary',
      ),
    ),
  )
  title.focus()
}

async function addPasskey(account: Account, place: Place, again: () => Promise<void>): Promise<void> {
  const { say, guildhall, signal } = account
  const { passkeys } = guildhall.auth
  const options = await passkeys.begin({})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  try {
    const credential = (await navigator.credentials.create({ publicKey, signal })) as PublicKeyCredential
    type Sent = Parameters<typeof passkeys.register>[0]['credential']
    await passkeys.register({ name: say('passkey'), credential: credential.toJSON() as Sent })
  } catch (error) {
    throw error instanceof DOMException ? new Error(say('passkeyStopped')) : error
  }
  await again()
  place.say(say('saved'))
}
