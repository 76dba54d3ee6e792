import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { fillDemo } from '../../apps/cli/src/demo/fill.ts'
import { CREATED, mark } from '../../apps/cli/src/demo/marks.ts'
import { makeDemoPlace } from '../../apps/cli/src/demo/place.ts'
import { FOCUSED } from '../elements/demo-rig.ts'
import { type Code, codesOf, hasPython, type Outcome, runCurl, runModules, runPython } from './codes.ts'
import { faultsOfTab } from './keyboard.ts'
import { withConsole } from './rig.ts'
import { faultsOfScreen, openScreen, screensOfNoProject, walkScreens, widerThanWindow } from './walk.ts'

// Every screen, by the router's own list, on a small share of the demo data. What a screen is about is found by the links of others.

const SHARE = 0.06
/** Fifty screens take half a minute on an idle machine. */
const LONG = { timeout: 300_000 }

let s3: TestS3
const rig = withConsole(
  async ({ api, one }) => {
    const config = { ...api.config, ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8'] }
    const place = makeDemoPlace(one.test, config, { share: SHARE, receiverUrl: 'http://127.0.0.1:65430' })
    await one.test.write((ctx) => mark(ctx, CREATED, one.project.id))
    await fillDemo(place, one.project.id)
    place.objects.close()
    // What the demo data has not: a provider to log in by cannot be reached from here.
    await one.test.admin.post('/payment-accounts', { provider: 'manual', name: 'Bank' })
    await api.owner.query(
      `insert into sso_connections (project_id, id, type, name, issuer, client_id)
       values ($1, gen_random_uuid(), 'oidc', 'Acme', 'https://login.acme.example', 'guildhall')`,
      [one.test.projectId],
    )
    // The request log has something to show.
    await one.test.admin.get('/members')
  },
  {
    environment: async () => {
      s3 = await startS3()
      return s3.environment
    },
  },
)
afterAll(() => s3.close())

const walk = (page: Page, look: (pattern: string) => Promise<void>): Promise<string[]> =>
  walkScreens(page, `/console/${rig.one.project.id}/test`, ({ pattern }) => look(pattern))

/**
 * Names of controls, columns and parts that did not go through `t`, as the pseudo-locale marks them. What somebody has written stands
 * in `bdi` or `code`, or in a text with a direction of its own.
 */
const UNMARKED = `[...document.querySelectorAll('main :is(h2, th, label, legend, button, [role=tab])')]
  .filter((part) => part.closest('[dir=auto]') === null)
  .map((part) => {
    const copy = part.cloneNode(true)
    for (const written of copy.querySelectorAll('bdi, code, pre, option')) written.remove()
    return copy.textContent.trim()
  })
  .filter((text) => /[a-zA-Z]{3}/.test(text) && !text.includes('⟦'))`

describeWithBrowser('what is around every screen', () => {
  test('is gone through by Tab: a link past the menu, the bar, the menu, and the screen', LONG, async () => {
    const { page, complaints, close } = await rig.openAt('members', { who: rig.owner })
    await page.getByRole('link', { name: /@/ }).first().waitFor()
    expect(await faultsOfTab(page, 'body')).toEqual([])
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(FOCUSED)).toBe('Skip to the screen')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    // The first control of the screen, and none of the menu.
    expect(await page.evaluate(FOCUSED)).toBe('Show as code')
    expect(complaints).toEqual([])
    await close()
  })

  test('is gone through by Tab also where a screen belongs to no project', LONG, async () => {
    const { page, close } = await rig.openAt('members', { who: rig.owner })
    const paths = await screensOfNoProject(page)
    expect(paths).toContain('/console/account')
    const faults: string[] = []
    for (const path of paths) {
      await openScreen(page, path)
      faults.push(...(await faultsOfTab(page, 'body')).map((fault) => `${path}: ${fault}`))
    }
    expect(faults).toEqual([])
    await close()
  })
})

/** Calls of forms in which nothing was typed yet: they are shown, and the API refuses them. */
const UNFILLED = ['moderation/test', 'notifications', 'analytics/funnel']

const said = (outcome: Outcome | undefined): unknown => {
  if (outcome === undefined || 'failed' in outcome) throw new Error(outcome?.failed)
  return JSON.parse(outcome.printed)
}

describeWithBrowser('every screen as code', () => {
  const codes: Code[] = []
  let env: Readonly<Record<string, string | undefined>>
  const failures = (outcomes: readonly Outcome[]) =>
    outcomes.flatMap((outcome, i) =>
      'failed' in outcome ? [`${codes[i]?.at}: ${outcome.failed}\n${codes[i]?.curl}`] : [],
    )

  test('is shown in three languages, and runs with curl', LONG, async () => {
    const { accessToken } = rig.owner
    env = { ...process.env, GUILDHALL_KEY: rig.one.test.key, GUILDHALL_OPERATOR: accessToken }
    const { page, close } = await rig.openAt('members', { who: rig.owner })
    const seen = new Map<string, Code>()
    await walk(page, async (pattern) => {
      const shown = await codesOf(page, pattern)
      const [first, ...rest] = shown
      for (const code of UNFILLED.includes(pattern) ? rest : [first, ...rest])
        if (code !== undefined) seen.set(code.curl, code)
    })
    await close()
    codes.push(...seen.values())
    expect(codes.length).toBeGreaterThan(90)
    const outcomes: Outcome[] = []
    for (const { curl } of codes) outcomes.push(await runCurl(curl, env))
    expect(failures(outcomes)).toEqual([])
  })

  test('runs with the client library, or where that has no call, with fetch', LONG, async () => {
    expect(
      failures(
        await runModules(
          codes.map(({ SDK }) => SDK),
          env,
        ),
      ),
    ).toEqual([])
  })

  test.skipIf(!hasPython)('runs with Python alone, and gets what curl gets', LONG, async () => {
    const outcomes = await runPython(
      codes.map(({ Python }) => Python),
      env,
    )
    expect(failures(outcomes)).toEqual([])
    const members = codes.findIndex(({ at }) => at === 'members')
    expect(said(outcomes[members])).toEqual(said(await runCurl(codes[members]?.curl ?? '', env)))
  })
})

describeWithBrowser('every screen', () => {
  test(
    'opens without a complaint, with no fault that axe finds, and is not wider than a telephone',
    LONG,
    async () => {
      const { page, complaints, close } = await rig.openAt('members', { width: 390, who: rig.owner })
      const faults: string[] = []
      const began = performance.now()
      const seen: string[] = []
      const unreached = await walk(page, async (pattern) => {
        seen.push(pattern)
        faults.push(...(await faultsOfScreen(page, complaints, pattern)))
      })
      console.log(`${seen.length} screens in ${Math.round((performance.now() - began) / 1_000)} s`)
      expect(faults).toEqual([])
      // Nothing sends here; the flow of a failed delivery looks at its screen.
      expect(unreached).toEqual(['webhooks/$id/$delivery'])
      await close()
    },
  )

  test(
    'holds longer texts from right to left, and each of its names goes through the dictionary',
    LONG,
    async () => {
      const { page, close } = await rig.openAt('members', { width: 390, who: rig.owner })
      await page.evaluate("localStorage.setItem('console-language', 'pseudo')")
      await page.reload()
      await page.locator('main h1').waitFor()
      const faults: string[] = []
      await walk(page, async (pattern) => {
        const wider = await widerThanWindow(page)
        if (wider !== 0) faults.push(`${pattern}: ${wider} px wider than the window`)
        const unmarked = (await page.evaluate(UNMARKED)) as string[]
        faults.push(...unmarked.map((text) => `${pattern}: “${text}” is not translated`))
      })
      expect(faults).toEqual([])
      await close()
    },
  )

  test.each([390, 1280])(
    'is gone through by Tab at %i px: each control is reached, and the focus is seen',
    LONG,
    async (width) => {
      const { page, close } = await rig.openAt('members', { width, who: rig.owner })
      const faults: string[] = []
      const began = performance.now()
      await walk(page, async (pattern) => {
        faults.push(...(await faultsOfTab(page)).map((fault) => `${pattern}: ${fault}`))
      })
      console.log(`by Tab in ${Math.round((performance.now() - began) / 1_000)} s`)
      expect(faults).toEqual([])
      await close()
    },
  )
})
