import { expect } from 'vitest'
import type { TestProject } from '#testkit/factories.ts'
import { FOCUSED, tabTo } from '../../elements/demo-rig.ts'
import type { Opened } from '../pages.ts'

type Side = TestProject['test']

/** A key is made by keyboard alone, shown until it is saved, used, and revoked. @param opened any screen of that side */
export async function makeAndUseKey({ page, complaints, close }: Opened, side: Side): Promise<void> {
  await page.getByRole('link', { name: 'Keys', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create a key' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Name')
  await page.keyboard.type('Backend')
  await tabTo(page, 'read:members')
  await page.keyboard.press('Space')
  await tabTo(page, 'Create the key')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'I have saved it' }).waitFor()
  const key = (await dialog.locator('code').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog.locator('code').textContent()).toBe(key)
  expect((await side.as(key).get('/members')).status).toBe(200)
  expect((await side.as(key).post('/members', { email: 'no@example.com' })).status).toBe(403)
  await tabTo(page, 'I have saved it')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)
  await page.getByRole('button', { name: 'Revoke Backend' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('heading', { name: 'Revoke “Backend”?' }).waitFor()
  await tabTo(page, 'Revoke the key')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Backend.*revoked/ }).waitFor()
  expect((await side.as(key).get('/members')).status).toBe(401)
  expect(complaints).toEqual([])
  await close()
}
