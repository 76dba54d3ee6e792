import type { SessionRecord } from '../../../../sdk/src/guildhall.ts'
import { h } from '../../base/dom.ts'
import { type Account, momentOf, type Place, type Section } from '../section.ts'

/** Where the member is logged in. */
export const sessions: Section = async (account, place) => {
  const { guildhall, signal } = account
  showSessions(account, place, await guildhall.auth.sessions.list({ signal }))
}

function showSessions(account: Account, place: Place, list: readonly SessionRecord[]): void {
  const { say, guildhall } = account
  const again = async () => showSessions(account, place, await guildhall.auth.sessions.list())
  const rows = list.map((session) => {
    const { id, user_agent, ip, last_seen_at, current } = session
    const name = deviceOf(user_agent) ?? say('unknownDevice')
    const seen = say('seen', { date: momentOf(account, last_seen_at) })
    const end = place.button(
      say('logOutThere'),
      async () => {
        await guildhall.auth.sessions.delete(id)
        await again()
        place.focus()
      },
      'button small',
    )
    end.setAttribute('aria-label', `${say('logOutThere')}: ${name}`)
    const words = [current ? say('thisDevice') : seen, ip].filter((part) => part !== null).join(' · ')
    return h(
      'li',
      {},
      h('div', {}, h('strong', {}, name), h('span', { class: 'muted' }, words)),
      !current && end,
    )
  })
  const endOthers = async () => {
    await guildhall.auth.logout({ scope: 'others' })
    await again()
    place.say(say('othersOut'))
  }
  const hasOthers = list.some(({ current }) => !current)
  place.show(
    h('ul', { class: 'list' }, ...rows),
    hasOthers && h('div', { class: 'actions' }, place.button(say('logOutOthers'), endOthers)),
  )
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** What a browser calls itself, as people know it. */
function deviceOf(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  return (
    [find(BROWSERS), find(SYSTEMS)].filter((part) => part !== undefined).join(', ') || userAgent.slice(0, 40)
  )
}
