import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { startBrowser } from '#testkit/servers/browser.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { logInTo, type OpenOptions, openConsole, TRUSTED } from './pages.ts'

/** An API with the console, a project, its operators, and a browser. All of it is there once tests run. */
export interface ConsoleRig {
  readonly api: TestApi
  readonly one: TestProject
  readonly admin: TestOperator
  readonly viewer: TestOperator
  readonly owner: TestOperator
  /** Opens the console without a log-in. */
  readonly open: (options?: OpenOptions) => Promise<Awaited<ReturnType<typeof openConsole>>>
  /** Opens a screen of the test side, logged in as the admin or as somebody else. @param path such as `plans` */
  readonly openAt: (
    path: string,
    options?: OpenOptions & { readonly who?: TestOperator },
  ) => Promise<Awaited<ReturnType<typeof openConsole>>>
}

interface RigOptions {
  /** Settings of the API beside the usual ones. */
  readonly environment?: () => Promise<Readonly<Record<string, string>>>
}

/** @param fill makes what the tests of the file need */
export function withConsole(
  fill: (rig: ConsoleRig) => Promise<void> = async () => {},
  { environment = async () => ({}) }: RigOptions = {},
): ConsoleRig {
  const rig = {} as { -readonly [Part in keyof ConsoleRig]: ConsoleRig[Part] }
  let port: number
  let more: Readonly<Record<string, string>>
  let browser: Browser
  // The console's own origin is BASE_URL, which has to be where this API listens.
  beforeAll(async () => {
    port = await freePort()
    more = await environment()
    browser = await startBrowser()
  })
  withOwnApi(
    () => ({
      environment: { ...TRUSTED, PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, ...more },
    }),
    async (api) => {
      const [one] = await makeProjects(api)
      const [admin, viewer, owner] = [
        await makeOperator(api),
        await makeOperator(api),
        await makeOperator(api),
      ]
      await setRole(api, one.live.projectId, admin.id, 'admin')
      await setRole(api, one.live.projectId, viewer.id, 'viewer')
      await setRole(api, one.live.projectId, owner.id, 'owner')
      const openAt: ConsoleRig['openAt'] = async (path, { who = admin, ...options } = {}) => {
        const opened = await openConsole(browser, api.url, options)
        await logInTo(opened.page, who.email)
        await opened.page.goto(`${api.url}/console/${one.project.id}/test/${path}`)
        return opened
      }
      const open: ConsoleRig['open'] = (options) => openConsole(browser, api.url, options)
      Object.assign(rig, { api, one, admin, viewer, owner, open, openAt })
      await fill(rig)
    },
  )
  afterAll(() => browser.close())
  return rig
}
