import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { withoutStall } from '#testkit/without-stall.ts'
import { faultsOfUpgrade, upgradeLoaded } from './loaded-upgrade.ts'
import { checkOut, firstRelease } from './upgrade.ts'

/** A third of what a request may take. */
const STALL_MS = 300
/** Each takes half a minute to a minute. */
const MOST_ROUNDS = 2
const commit = await firstRelease()
let round = 0

test.runIf(commit !== undefined)(
  'version 0.1.0 answers and delivers while the database is migrated and after it, beside this version: no error, nothing held or waited for longer than a second',
  async () => {
    const scenario = async () => {
      const folder = join(inject('servers').runFolder, `upgrade-${round++}`)
      await mkdir(folder)
      const { root } = await checkOut(commit ?? '', folder)
      const outcome = await upgradeLoaded({
        root,
        members: 5_000,
        rate: 20,
        pauseMs: 2_000,
        say: () => undefined,
      })
      expect(faultsOfUpgrade(outcome)).toEqual([])
      expect(outcome.requests).toBeGreaterThan(100)
      expect(outcome.locks.map(([table]) => table)).toContain('mails')
    }
    await withoutStall(STALL_MS, scenario, MOST_ROUNDS)
  },
  240_000,
)
