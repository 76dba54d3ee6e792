/** As many page rules as there can be, of as many wildcards as there can be, and paths that nearly match. */
import { loadMembers } from '../../../bench/data.ts'
import { type Abuse, part, posting, type Site } from '../abuse.ts'

const URL_OF_RULES = '/a'.repeat(1_000)

/** Rules that nearly match each page of `/a/a/a…`, and some that do. */
async function loadRules(site: Site, size: number): Promise<void> {
  await site.owner.query(
    `insert into content_rules (project_id, id, url_pattern, created_at, updated_at)
     select $1, gen_random_uuid(), repeat('/*/a', 9) || case when n % 2 = 0 then '/*/' || n else '/**' end, now(), now()
     from generate_series(1, $2::int) n`,
    [site.projectId, part(size, 4_990)],
  )
  // Written as every customer writes it, so that all rules are read anew.
  await site.make('/member-content', { url_pattern: '/**/a/**/a/**/a/**/a/**/a/b' })
}

const checks: Abuse = {
  name: 'page checks in batches with thousands of rules',
  inShortForm: true,
  prepare: async (site, size) => {
    await loadRules(site, size)
    const batch = Array.from({ length: 100 }, (_, n) => ({ url: `${URL_OF_RULES}/${n}{n}` }))
    return [posting(site, '/member-content/check/batch', { checks: batch })]
  },
}

const explanations: Abuse = {
  name: 'explanations with thousands of rules',
  inShortForm: true,
  prepare: async (site, size) => {
    await loadRules(site, size)
    return [posting(site, '/member-content/explain', { url: `${URL_OF_RULES}/{n}` })]
  },
}

/** Over as many pages as are looked at, each viewed by some of many members, among as many other views as a site may have. */
const simulations: Abuse = {
  name: 'simulations over full tables',
  prepare: async (site, size) => {
    await loadRules(site, size)
    await loadMembers(site.owner, [site], part(size, 5_000))
    await site.owner.query(
      `insert into analytics_events (id, at, received_at, visitor, bot, host, path, title, source, channel, country, device, browser, os, member_id)
       select gen_random_uuid(), at, at, n, false, 'www.example.com', repeat('/a', 200) || '/' || n % 50000, 'A page', 'Direct', 'Direct',
         'DE', 'desktop', 'Chrome', 'Linux', m.id
       from generate_series(1, $1::int) n
         join (select id, row_number() over () as place from members) m on m.place = 1 + n % $2::int,
         lateral (select now() - (n % 29) * interval '1 day' as at) t`,
      [part(size, 200_000), part(size, 5_000)],
    )
    await site.owner.query('analyze analytics_events')
    return [
      posting(site, '/member-content/simulate', { url_pattern: '/**/a/**/a/**/a/**/a/**/a/**' }),
      posting(site, '/member-content/simulate', { url_pattern: '/*/a/{n}' }),
    ]
  },
}

export const ruleAbuses: readonly Abuse[] = [checks, explanations, simulations]
