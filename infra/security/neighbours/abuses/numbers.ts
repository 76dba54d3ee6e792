/** Projects that have as many of everything as they can have, and receivers that never answer. */
import { type Abuse, part, posting, reading, repeat, type Site } from '../abuse.ts'

/** Lists and searches over full tables, a cart of a hundred lines, and a quiz of two hundred questions. */
const highestNumbers: Abuse = {
  name: 'everything at its highest numbers',
  prepare: async (site, size) => {
    const member = await site.make('/members', { email: 'abuser@example.com' })
    await repeat(part(size, 500), (n) =>
      site.make('/discussion-categories', { name: `Category ${n}`, slug: `category-${n}` }),
    )
    const fields = Array.from({ length: 200 }, (_, n) => ({ id: `f${n}`, type: 'text', label: `Field ${n}` }))
    const forms = await repeat(part(size, 500), (n) =>
      site.make('/forms', { name: `Form ${n}`, type: 'custom', fields }),
    )
    await site.send('POST', `/forms/${forms[0]}/publish`)
    // A project begins with one of the 500 plans that it can have.
    const plans = await repeat(part(size, 499), (n) =>
      site.make('/plans', { name: `Plan ${n}`, price: n + 1, currency: 'eur' }),
    )
    await repeat(part(size, 5_000), (n) =>
      site.make('/member-content', {
        url_pattern: `/${'*/a/'.repeat(9)}${n}`,
        required_plans: plans.slice(0, 100),
      }),
    )
    const quiz = await makeQuiz(site, member)
    const cart = await fillCart(site, member, part(size, 100))
    const filled = { data: Object.fromEntries(fields.map(({ id }) => [id, 'x'.repeat(100)])) }
    return [
      reading(site, '/discussion-categories?limit=100'),
      reading(site, '/forms?limit=100'),
      reading(site, `/forms/${forms[0]}/schema`),
      posting(site, `/forms/${forms[0]}/submissions`, filled),
      reading(site, '/member-content?limit=100'),
      reading(site, '/member-content/manifest'),
      posting(site, quiz.path, {}, quiz.headers),
      reading(site, cart.path, cart.headers),
    ]
  },
}

async function makeQuiz(site: Site, member: string) {
  const course_id = await site.make('/lms/courses', { title: 'First steps' })
  const module = await site.make(`/lms/courses/${course_id}/modules`, { title: 'Begin' })
  const lesson = await site.make(`/lms/modules/${module}/lessons`, { title: 'A quiz', type: 'quiz' })
  const options = Array.from({ length: 20 }, (_, n) => ({ id: `o${n}`, text: `Option ${n}` }))
  const questions = Array.from({ length: 200 }, (_, n) => ({
    ...{ id: `q${n}`, type: 'multiple', text: `Question ${n}` },
    ...{ options, correct_options: ['o1', 'o2'] },
  }))
  const quiz = await site.send('PUT', `/lms/lessons/${lesson}/quiz`, { questions })
  await site.send('POST', `/lms/courses/${course_id}/publish`)
  await site.make('/lms/enrollments', { course_id, student_id: member })
  return { path: `/lms/quizzes/${quiz.id}/attempts`, headers: { 'x-user-id': member } }
}

async function fillCart(site: Site, member: string, lines: number) {
  const headers = { 'x-user-id': member }
  await repeat(lines, async (n) => {
    const product_id = await site.make('/shop/products', { name: `Product ${n}`, price: 1, currency: 'eur' })
    await site.send('POST', '/shop/cart', { product_id }, headers)
  })
  return { path: '/shop/cart', headers }
}

/** Every event goes to as many endpoints as there can be, and none of them ever answers. */
const hangingReceivers: Abuse = {
  name: 'receivers that hang',
  prepare: async (site, size) => {
    await repeat(part(size, 200), (n) =>
      site.make('/webhooks', { url: `${site.silentUrl}/${n}`, events: ['member.*'] }),
    )
    return [posting(site, '/members', { email: 'hook{n}@example.com' })]
  },
}

/** Expressions that other engines need years for, over the longest values. */
const formPatterns: Abuse = {
  name: 'regexes of forms',
  prepare: async (site) => {
    const ids = Array.from({ length: 50 }, (_, n) => `f${n}`)
    const fields = ids.map((id) => ({
      ...{ id, type: 'text', label: id },
      validation: { pattern: '^(a+)+(b|a)*(a|aa)*$' },
    }))
    const form = await site.make('/forms', { name: 'Patterns', type: 'custom', fields })
    await site.send('POST', `/forms/${form}/publish`)
    const data = Object.fromEntries(ids.map((id) => [id, `${'a'.repeat(900)}!`]))
    return [posting(site, `/forms/${form}/submissions`, { data })]
  },
}

export const numberAbuses: readonly Abuse[] = [highestNumbers, hangingReceivers, formPatterns]
