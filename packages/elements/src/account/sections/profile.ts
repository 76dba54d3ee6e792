import type { MemberProfile } from '../../../../sdk/src/guildhall.ts'
import { type Child, h } from '../../base/dom.ts'
import { field } from '../../base/fields.ts'
import { form } from '../../base/form.ts'
import type { Account, Place, Section } from '../section.ts'

const INCLUDE: ('display_name' | 'bio' | 'avatar_file_id')[] = ['display_name', 'bio', 'avatar_file_id']
const PICTURES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

/** The name, the text and the address of the member. */
export const profile: Section = async (account, place) => {
  const { say, guildhall, signal, redirect } = account
  const {
    display_name = '',
    full_name,
    bio = '',
    email,
  } = await guildhall.user.profile.get({ include: INCLUDE }, { signal })
  const fields = [
    field(say, {
      ...{ name: 'display_name', label: say('displayName'), value: display_name },
      attributes: { maxlength: 80, autocomplete: 'nickname' },
    }),
    field(say, {
      ...{ name: 'full_name', label: say('fullName'), value: full_name },
      attributes: { maxlength: 200, autocomplete: 'name' },
    }),
    field(say, {
      ...{ name: 'bio', label: say('bio'), value: bio, type: 'textarea' },
      attributes: { maxlength: 1000 },
    }),
    field(say, {
      ...{ name: 'email', label: say('address'), value: email, type: 'email', required: true },
      help: say('addressHelp'),
      attributes: { maxlength: 254, autocomplete: 'email' },
    }),
  ]
  let saved: Record<string, string> = { display_name, full_name, bio, email }
  const act = async (values: Record<string, string>) => {
    // What was not touched is not sent, so that it does not undo a change that was made elsewhere.
    const changed = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => value !== saved[name]),
    )
    place.clear()
    if (Object.keys(changed).length > 0)
      await guildhall.user.profile.update({
        ...changed,
        ...('email' in changed && { redirect_url: redirect }),
      })
    saved = values
    place.say(say('email' in changed ? 'addressSent' : 'saved'))
    account.emit('profile', {})
  }
  place.show(form(say, { fields, submit: say('save'), label: say('profile'), act }))
}

/** The picture of the member. */
export const picture: Section = async (account, place) => {
  const { guildhall, signal } = account
  showPicture(account, place, await guildhall.user.profile.get({ include: INCLUDE }, { signal }))
}

function showPicture(
  account: Account,
  place: Place,
  { id, avatar_url, avatar_file_id, full_name }: MemberProfile,
): void {
  const { say, guildhall } = account
  const update = async (change: { avatar_file_id?: string | null; avatar_url?: null }) => {
    await guildhall.user.profile.update(change)
    showPicture(account, place, await guildhall.user.profile.get({ include: INCLUDE }))
    place.say(say('saved'))
    place.focus()
  }
  const input = h('input', {
    type: 'file',
    accept: PICTURES,
    class: 'hidden',
    tabindex: -1,
    'aria-hidden': 'true',
  })
  const choose = place.button(say('choosePicture'), async () => input.click())
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file === undefined) return
    choose.classList.add('busy')
    try {
      const parts = new FormData()
      parts.set('purpose', 'avatar')
      parts.set('file', file, file.name)
      await update({ avatar_file_id: (await guildhall.storage.files.upload(parts)).id })
    } catch (error) {
      place.complain(error)
    }
    choose.classList.remove('busy')
  })
  const image = h(
    'div',
    {},
    h('span', { class: 'nobody', role: 'img', 'aria-label': say('noPicture') }, [...(full_name || '–')][0]),
  )
  shownPicture(account, id, avatar_url).then(
    (shown) => shown && image.replaceChildren(h('img', { src: shown, alt: say('yourPicture') })),
    (error) => place.complain(error),
  )
  const has = avatar_file_id != null || avatar_url !== undefined
  const remove: Child =
    has && place.button(say('remove'), () => update({ avatar_file_id: null, avatar_url: null }))
  place.show(
    h('div', { class: 'picture' }, image, h('div', { class: 'actions' }, choose, remove, input)),
    h('p', { class: 'help' }, say('pictureHelp')),
  )
}

/** An uploaded picture has an address of its own in what others see of the member. */
async function shownPicture(
  { guildhall, signal }: Account,
  id: string,
  url: string | undefined,
): Promise<string | undefined> {
  const seen = await guildhall.profiles.get(id, { signal }).catch(() => undefined)
  return seen?.avatar_url ?? url
}
