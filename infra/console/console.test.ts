import { beforeAll, expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { buildConsole } from './build.ts'
import { changeSetting, invite, readAuditLog } from './flows/audit.ts'
import { decideQueue, makeCommunity, moveFeedback } from './flows/community.ts'
import { buildForm, publishArticle } from './flows/content.ts'
import { makeAndUseKey } from './flows/keys.ts'
import { sellAndRefund } from './flows/money.ts'
import { withConsole } from './rig.ts'
import { faultsOfScreen, walkScreens } from './walk.ts'

// A part of `npm run console:test` that everybody runs: six of its flows, and ten of its screens on what the flows have made.

const SCREENS = [
  ...['', 'members', 'members/$id', 'orders', 'forms', 'help', 'keys', 'webhooks', 'requests'],
  'settings/general',
]
/** Of the build, where the sources have changed. */
const LONG = 240_000

describeWithBrowser('the console, in short', () => {
  beforeAll(async () => {
    await buildConsole()
  }, LONG)
  const rig = withConsole()

  test('a key is made by keyboard alone, shown until it is saved, used, and revoked', async () => {
    await makeAndUseKey(await rig.openAt('members'), rig.one.test)
  })

  test('posts are decided by keyboard alone, and feedback is moved on the board', async () => {
    const community = await makeCommunity(rig)
    await decideQueue(community)
    await moveFeedback(community)
  })

  test('a form is built and put in order by keyboard alone', async () => {
    await buildForm(rig)
  })

  test('an article is written, published, translated, changed, and restored', async () => {
    await publishArticle(rig)
  })

  test('an order is marked as paid, sent, and refunded in part, by keyboard alone', async () => {
    await sellAndRefund(rig)
  })

  test('ten screens open without a complaint, with no fault that axe finds, and fit a telephone', async () => {
    const { page, complaints, close } = await rig.openAt('members', { width: 390, who: rig.owner })
    const faults: string[] = []
    const seen: string[] = []
    const side = `/console/${rig.one.project.id}/test`
    const look = async ({ pattern }: { readonly pattern: string }) => {
      seen.push(pattern)
      faults.push(...(await faultsOfScreen(page, complaints, pattern)))
    }
    expect(await walkScreens(page, side, look, SCREENS)).toEqual([])
    expect(faults).toEqual([])
    expect(seen.toSorted()).toEqual(SCREENS.toSorted())
    await close()
  })

  test('the audit log has all of that, with who did it, the address, and what was before and after', async () => {
    await changeSetting(rig)
    await invite(rig, 'grace@example.com')
    await readAuditLog(rig, [
      ...['settings.change', 'team.invite', 'key.create', 'key.revoke', 'refund.create'],
      ...['feedback.set_status', 'moderation.remove', 'moderation.approve'],
    ])
  })
})
