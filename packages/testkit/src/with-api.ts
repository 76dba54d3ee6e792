import { afterAll, beforeAll, beforeEach } from 'vitest'
import { sharedApi, startApi, type TestApi } from './api.ts'
import { makeProjects, type TestProject } from './factories.ts'

/** Takes what the tests of a file use, and makes what they have in common. */
type Prepare = (api: TestApi, one: TestProject, two: TestProject) => unknown

/** Gives a test file what `open` makes, and closes it after the last test. */
export function withOpened<T extends { close(): Promise<unknown> }>(
  open: () => Promise<T>,
  prepare: (opened: T) => unknown,
): void {
  let opened: T | undefined
  beforeAll(async () => {
    opened = await open()
    await prepare(opened)
  })
  afterAll(() => opened?.close())
}

/** Gives a test file the shared API. */
export const withApi = (prepare: (api: TestApi) => unknown): void => withOpened(sharedApi, prepare)

/** Gives a test file an API of its own, for what counts rows of all projects, or changes the API. */
export const withOwnApi = (
  options: () => Parameters<typeof startApi>[0],
  prepare: (api: TestApi) => unknown,
): void => withOpened(() => startApi(options()), prepare)

/** Gives a test file two API processes on one database of their own. */
export function withTwoApis(prepare: (api: TestApi, second: TestApi) => unknown): void {
  let second: TestApi | undefined
  withOwnApi(
    () => ({}),
    async (api) => {
      second = await startApi({ database: api.database })
      await prepare(api, second)
    },
  )
  // Hooks of the end run in reverse order: before the database goes.
  afterAll(() => second?.close())
}

/** Gives a test file the shared API and two projects of its own. */
export const withProjects = (prepare: Prepare): void =>
  withApi(async (api) => prepare(api, ...(await makeProjects(api))))

/** Gives each test two projects of its own, so that a test that is repeated finds nothing of its first run. */
export function withNewProjects(prepare: Prepare): void {
  let api: TestApi
  withApi((opened) => {
    api = opened
  })
  beforeEach(async () => {
    await prepare(api, ...(await makeProjects(api)))
  })
}
