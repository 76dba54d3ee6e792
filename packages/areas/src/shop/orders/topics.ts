import { listPayments } from '#areas/billing/service.ts'
import { assertMay, type Publication, type TopicGroup } from '#platform/catalogue/topic.ts'
import { notFound } from '#platform/errors.ts'
import { seesOwn } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import * as events from '../events.ts'
import { orderId } from '../ids.ts'
import { getOrder, withPayment } from './queries.ts'

/** Orders: each is published to its buyer, and to keys. */
export const orderTopics: TopicGroup = {
  topics: [
    {
      name: 'order',
      of: 'ID',
      description: 'An order of the member, or with `read:commerce` any order: all that happens to it',
      example: 'order:ord_01jcq3k8f7e8qtk4m3hbw7rn2q',
      open: async (data, asker, of) => {
        assertMay(asker, 'read:commerce')
        const id = parseId(orderId, of)
        if (id === undefined) throw notFound('Order')
        const { parts } = await data.read({ parts: getOrder({ id }) })
        if (!seesOwn(asker.viewer, parts.order.member_id)) throw notFound('Order')
        return id
      },
    },
  ],
  events: Object.values(events)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('order.')),
  publish: async (logged, { data, open }) => {
    const publications = new Map<string, Publication>()
    const wanted = Map.groupBy(logged, ({ about }) => parseId(orderId, about.id ?? ''))
    for (const [id, some] of wanted) {
      if (id === undefined || !open.has(`order:${id}`)) continue
      const { parts, payments } = await data.read({
        parts: getOrder({ id }),
        payments: listPayments({ purpose: 'order', ids: [id] }),
      })
      const order = withPayment(parts, payments)
      for (const each of some)
        publications.set(each.id, {
          topics: [`order:${id}`],
          data: order,
          mayKnow: (viewer) => seesOwn(viewer, parts.order.member_id),
        })
    }
    return publications
  },
}
