/** PostgreSQL refuses to run as root: this finds the account that it runs as instead. */
import { readFileSync, statSync } from 'node:fs'
import { StartError } from '../start-error.ts'

/** The account to run as; undefined means the one that runs this process. */
export type Account = { uid: number; gid: number } | undefined

const CANDIDATES = ['postgres', 'nobody']

function fromPasswd(): Account {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const entries = lines.map((line) => line.split(':'))
  for (const name of CANDIDATES) {
    const entry = entries.find((fields) => fields[0] === name)
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new StartError(
    `PostgreSQL does not run as root, and this machine has none of the accounts ${CANDIDATES.join(', ')}: ` +
      'start Guildhall as an ordinary user.',
  )
}

/**
 * Chooses the account for a data folder. The owner of a folder that exists keeps it, so that the answer does
 * not change when an account is added to the machine later.
 */
export function accountFor(clusterDir: string): Account {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return fromPasswd()
}
