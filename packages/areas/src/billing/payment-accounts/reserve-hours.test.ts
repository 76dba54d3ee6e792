import { expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

let side: Side

withProjects((_api, one) => {
  side = one.live
})

test('an account says for how many whole hours unpaid orders are reserved, beside free-form data', async () => {
  const make = (settings: object) =>
    side.admin.post<{ data?: { id: string; settings: object }; details?: { field: string }[] }>(
      '/payment-accounts',
      { provider: 'manual', name: 'By transfer', settings },
    )
  const settings = { reserve_hours: 24, iban: 'DE02' }
  const made = await make(settings)
  expect([made.status, made.body.data?.settings]).toEqual([201, settings])
  for (const reserve_hours of [0, -1, 1.5, 8_761, '24', null]) {
    const { status, body } = await make({ reserve_hours })
    expect([status, body.details?.[0]?.field]).toEqual([422, 'settings.reserve_hours'])
  }
})
