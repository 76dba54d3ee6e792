import { expect } from 'vitest'
import type { ConsoleRig } from '../rig.ts'

/** A setting is changed by keyboard alone, and the audit log says what it was and what it is. */
export async function changeSetting(rig: ConsoleRig): Promise<void> {
  const { page, complaints, close } = await rig.openAt('settings/community')
  await page.getByLabel('Reports that hide a post').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.goto(page.url().replace('settings/community', 'settings/audit-log'))
  await page.getByText('report_threshold').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'report_threshold' })
  expect(await row.locator('del').textContent()).toBe('3')
  expect(await row.locator('ins').textContent()).toBe('7')
  // It has cursors, and no pages that would show the same rows once more.
  expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0)
  await page.getByLabel('Action').selectOption('team.*')
  await page.getByText('report_threshold').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await close()
}

/** An owner invites somebody. */
export async function invite(rig: ConsoleRig, email: string): Promise<void> {
  const { page, complaints, close } = await rig.openAt('team', { who: rig.owner })
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('dialog').getByLabel('Email address').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Withdraw the invitation to ${email}` }).waitFor()
  expect(complaints).toEqual([])
  await close()
}

interface Act {
  readonly action: string
  readonly actor_id: string | null
  readonly ip: string | null
  readonly before: unknown
  readonly after: unknown
}

/**
 * The audit log has each of these acts: who did it, from which address, and what was different after it. The screen shows the same.
 * @param acts by their actions, all of operators who used the console
 */
export async function readAuditLog(rig: ConsoleRig, acts: readonly string[]): Promise<void> {
  const { body } = await rig.owner.call<{ data: Act[] }>('GET', `/projects/${rig.one.project.id}/audit-log`)
  // Requests of the rig itself come from this machine; windows have addresses of their own.
  const byWindows = body.data.filter(({ ip }) => ip?.startsWith('192.0.2.'))
  const { page, complaints, close } = await rig.openAt('settings/audit-log', { who: rig.owner })
  const faults: string[] = []
  for (const action of acts) {
    const act = byWindows.find((each) => each.action === action)
    if (act === undefined) faults.push(`${action} is not there, by an operator with an address`)
    else if (act.actor_id === null || (act.before === null && act.after === null))
      faults.push(`${action} does not say who did it, or what changed: ${JSON.stringify(act)}`)
    else {
      const row = page
        .getByRole('row')
        .filter({ hasText: action })
        .filter({ hasText: act.ip ?? '' })
      await row.first().waitFor()
      if ((await row.first().locator('ins, del').count()) === 0) faults.push(`${action} shows no change`)
    }
  }
  expect(faults).toEqual([])
  expect(complaints).toEqual([])
  await close()
}
