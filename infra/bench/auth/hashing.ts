/** What hashing a password costs with each of the parameters that one might choose. */
import { hashSync } from '@node-rs/argon2'
import { median, printTable } from '../table.ts'

/** OWASP's recommendations for argon2id, which cost a defender about the same, and RFC 9106's second one. */
const CANDIDATES = [
  [47_104, 1],
  [19_456, 2],
  [12_288, 3],
  [9_216, 4],
  [7_168, 5],
  [65_536, 3],
] as const
const HASHES = 10

/** Prints the milliseconds of a core that one hash takes: medians, all candidates in turn. */
export function printHashes(): void {
  const times = CANDIDATES.map((): number[] => [])
  // The first round warms up.
  for (let round = 0; round <= HASHES; round++) {
    for (const [n, [memoryCost, timeCost]] of CANDIDATES.entries()) {
      const before = process.cpuUsage()
      hashSync('correct horse battery', { memoryCost, timeCost, parallelism: 1 })
      const { user, system } = process.cpuUsage(before)
      if (round > 0) times[n]?.push((user + system) / 1_000)
    }
  }
  const rows = CANDIDATES.map(([memoryCost, timeCost], n) => [
    `${memoryCost} KiB, ${timeCost}`,
    median(times[n] ?? []).toFixed(1),
  ])
  printTable('Hashing a password with argon2id', ['memory, passes', 'ms of a core'], rows)
}
