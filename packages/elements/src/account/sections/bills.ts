import type { Bill } from '../../../../sdk/src/guildhall.ts'
import { h } from '../../base/dom.ts'
import { type Account, amountOf, dayOf, type Place, type Section } from '../section.ts'

const STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const
const PAGE = 10

/** What the member has paid and has to pay. */
export const bills: Section = async (account, place) => {
  const { say, guildhall, signal } = account
  const list = h('ul', { class: 'list' })
  const more = h('div', { class: 'actions' })
  const showPage = async (cursor?: string) => {
    const page = await guildhall.bills.list({ limit: PAGE, cursor }, { signal })
    const { next_cursor: next } = page
    list.append(...page.data.map((bill) => row(account, place, bill)))
    more.replaceChildren(...(next === null ? [] : [place.button(say('more'), () => showPage(next))]))
  }
  await showPage()
  if (list.childElementCount === 0) place.show(h('p', { class: 'muted' }, say('noBills')))
  else place.show(list, more)
}

function row(account: Account, place: Place, bill: Bill): HTMLElement {
  const { say, guildhall, emit } = account
  const { id, number, status, created_at, total, currency } = bill
  // The page takes the payment on, with the script of its provider.
  const pay = place.button(
    say('pay'),
    async () => {
      emit('payment', { bill, payment: await guildhall.bills.pay(id) })
      place.say(say('paymentBegun'))
    },
    'button small',
  )
  pay.setAttribute('aria-label', say('payBill', { number }))
  const known = STATUSES.find((each) => each === status)
  const words = [dayOf(account, created_at), known ? say(`bill.${known}`) : status].join(' · ')
  return h(
    'li',
    {},
    h('div', {}, h('strong', {}, say('bill', { number })), h('span', { class: 'muted' }, words)),
    h('span', {}, amountOf(account, total, currency)),
    status === 'open' && pay,
  )
}
