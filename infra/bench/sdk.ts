/** `npm run bench -- sdk`: what a call of the client library costs over `fetch`, and how large its code and its types are. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { createClient, type Guildhall } from '../../packages/sdk/src/guildhall.ts'
import { benchOf, inTurns, memoize } from './cases.ts'
import { loadMembers, makeTenant, pickMembers } from './data.ts'
import { serveApi } from './stage.ts'
import { median } from './table.ts'

const run = promisify(execFile)
const LIBRARY = fileURLToPath(new URL('../../packages/sdk/', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
/** The oldest compiler that the library is for; of the package registry. */
const OLDER_TYPESCRIPT = 'typescript@5.9.3'

/** Microseconds of one of many calls, and those of the processor. */
async function costOf(calls: number, call: () => Promise<unknown>): Promise<{ wall: number; own: number }> {
  const before = process.cpuUsage()
  const started = performance.now()
  for (let i = 0; i < calls; i++) await call()
  const wall = ((performance.now() - started) * 1_000) / calls
  const { user, system } = process.cpuUsage(before)
  return { wall, own: (user + system) / calls }
}

/** The library and bare `fetch` in turns. @returns the microseconds of each by round */
const compare = (
  rounds: number,
  calls: number,
  guildhall: Guildhall,
  url: string,
  init: RequestInit,
  own: typeof fetch,
) =>
  inTurns(rounds, [
    () => costOf(calls, async () => (await own(url, init)).json()),
    () => costOf(calls, () => guildhall.members.get(url.slice(url.lastIndexOf('/') + 1))),
  ])

export const benchSdk = benchOf({
  full: { rounds: 15, calls: 2_000 },
  quick: { rounds: 5, calls: 1_000 },
  async setUp({ owner, rig }, { rounds, calls }) {
    const tenant = await makeTenant(rig, ['read:members'])
    await loadMembers(owner, [tenant], 1_000)
    const [member] = await pickMembers(owner, tenant, 1)
    const { origin } = await serveApi(rig)
    const { authorization } = tenant
    const key = authorization.slice('Bearer '.length)
    const url = `${origin}/api/v1/members/${member?.id}`
    const init = { headers: { authorization } }
    const body = await (await fetch(url, init)).text()
    const canned = async () => new Response(body, { headers: { 'content-type': 'application/json' } })
    const alone = memoize(() =>
      compare(rounds, calls * 5, createClient({ baseUrl: origin, key, fetch: canned }), url, init, canned),
    )
    const overLoopback = memoize(() =>
      compare(rounds, calls, createClient({ baseUrl: origin, key }), url, init, fetch),
    )
    const call = 'A call of the client library'
    const size = 'The size of the client library'
    return [
      {
        ...{ table: call, name: 'processor time over fetch, in process', unit: 'µs', digits: 1, atMost: 15 },
        measure: async () => {
          const [bare = [], own = []] = await alone()
          return median(own.map((cost, round) => cost.own - (bare[round]?.own ?? Number.NaN)))
        },
      },
      {
        ...{ table: call, name: 'over fetch, by loopback', unit: '%', digits: 1, atMost: 5 },
        measure: async () => {
          const [bare = [], own = []] = await overLoopback()
          return (median(own.map(({ wall }, round) => wall / (bare[round]?.wall ?? Number.NaN))) - 1) * 100
        },
      },
      {
        ...{ table: size, name: 'the entry of a browser, gzipped', unit: 'B', atMost: 8_192 },
        measure: entryBytes,
      },
      {
        ...{
          table: size,
          name: 'types of an operation, with descriptions',
          unit: 'kB',
          digits: 2,
          atMost: 1.6,
        },
        measure: kilobytesOfOperation,
      },
      ...['', OLDER_TYPESCRIPT].map((compiler) => ({
        ...{
          table: size,
          name: `check by ${compiler || 'the TypeScript of this tree'}`,
          unit: 's',
          digits: 2,
          atMost: 1.5,
        },
        measure: () => secondsOfCheck(compiler),
      })),
    ]
  },
})

async function entryBytes(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
  try {
    const input = join(folder, 'entry.ts')
    await writeFile(input, `export { createClient, MemberSession } from '${LIBRARY}src/guildhall.ts'\n`)
    const bundle = await rolldown({ input })
    const { output } = await bundle.generate({ minify: true })
    return gzipSync(output[0].code, { level: 9 }).length
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The types that a program is checked with: without the table, which is code. */
async function kilobytesOfOperation(): Promise<number> {
  const text = await readFile(join(LIBRARY, 'src/api.generated.ts'), 'utf8')
  const [types = '', table = ''] = text.split('export const TABLE = ')
  const operations = table.split('\n').filter((line) => line.startsWith(' ')).length
  return Buffer.byteLength(types) / operations / 1_000
}

const USE = `import { createClient } from '${LIBRARY}src/guildhall.ts'
const { data } = await createClient({ baseUrl: 'http://localhost' }).members.list({ status: 'active' })
export const emails: string[] = data.map(({ email }) => email)
`

/** Seconds that the compiler takes longer for a program with the library than for one without it. */
async function secondsOfCheck(compiler: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
    if (compiler !== '')
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', compiler], { cwd: folder })
    const tsc = compiler === '' ? TSC : join(folder, 'node_modules/typescript/bin/tsc')
    const check = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      const args = [tsc, ...CHECK_OPTIONS, '--extendedDiagnostics', name]
      const { stdout } = await run(process.execPath, args, { cwd: folder })
      return Number(/Check time:\s+([\d.]+)s/.exec(stdout)?.[1])
    }
    const [without = [], own = []] = await inTurns(2, [
      () => check('empty.ts', 'export {}\n'),
      () => check('program.ts', USE),
    ])
    return median(own) - median(without)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const CHECK_OPTIONS = [
  ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--allowImportingTsExtensions', '--lib', 'es2023,dom,dom.iterable,dom.asynciterable'],
]
