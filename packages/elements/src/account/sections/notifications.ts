import { h } from '../../base/dom.ts'
import type { Section } from '../section.ts'

const KINDS = [
  ...(['reply', 'mention', 'answer', 'like', 'feedback_status', 'moderation'] as const),
  ...(['order', 'course', 'certificate', 'invitation', 'message'] as const),
]
const MAILS = ['now', 'daily', 'weekly', 'never'] as const

/** What the member hears of, and how. Each choice counts at once. */
export const notifications: Section = async ({ say, guildhall, signal }, place) => {
  const preferences = await guildhall.notifications.preferences.get({}, { signal })
  const change = async (
    kind: (typeof KINDS)[number],
    to: { in_product?: boolean; mail?: (typeof MAILS)[number] },
  ) => {
    place.clear()
    try {
      await guildhall.notifications.preferences.update({ [kind]: to })
      place.say(say('saved'))
    } catch (error) {
      place.complain(error)
    }
  }
  const rows = KINDS.map((kind) => {
    const label = say(`kind.${kind}`)
    const { in_product, mail } = preferences[kind]
    const box = h('input', {
      type: 'checkbox',
      checked: in_product,
      'aria-label': `${label}: ${say('inProduct')}`,
    })
    box.addEventListener('change', () => void change(kind, { in_product: box.checked }))
    const options = MAILS.map((value) => h('option', { value }, say(`mail.${value}`)))
    const select = h('select', { 'aria-label': `${label}: ${say('byMail')}` }, ...options)
    select.value = mail
    select.addEventListener('change', () => {
      const chosen = MAILS.find((value) => value === select.value)
      if (chosen) void change(kind, { mail: chosen })
    })
    return h('div', { class: 'kind' }, h('span', {}, label), box, select)
  })
  const head = h(
    'div',
    { class: 'kind', 'aria-hidden': 'true' },
    ...[say('kind'), say('inProduct'), say('byMail')].map((words) => h('span', {}, words)),
  )
  place.show(
    h('p', { class: 'muted' }, say('notificationsHelp')),
    h('div', { class: 'kinds' }, head, ...rows),
  )
}
