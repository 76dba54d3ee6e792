import { CELLS_PURPOSE, cellKeysOf } from '../cells/cell-secret.ts'
import { LOCATE_PATH } from '../cells/cells.ts'
import { FORWARDED, makeForwardHeader } from '../cells/forward-header.ts'
import { openPool } from '../db/pool.ts'
import { readProjectKeys } from '../keys/project-keys.ts'
import { makeProjectBox } from '../secrets/project-box.ts'
import { VERSION } from '../version.ts'
import { type Finding, fault, ok, type Patient, warning } from './finding.ts'

const ASK_MS = 5_000
/** Half of what is allowed between the clocks of two cells. */
const CLOCK_MS = 30_000

interface Row {
  readonly name: string
  readonly url: string
  readonly secret: Buffer
}

/** Whether each other cell is reached, has the same secret and version, and what its clock says. */
export async function examineCells({ databaseUrl, secretKey }: Patient): Promise<Finding[]> {
  const keys = { SECRET_KEY: secretKey }
  const pool = openPool(
    { DATABASE_URL: databaseUrl, ...keys },
    { role: 'keys', size: 1, onError: () => undefined },
  )
  try {
    const { rows } = await pool.query<Row>('select name, url, secret from cells order by name')
    if (rows.length === 0) return []
    await readProjectKeys(pool, keys)
    return (await Promise.all(rows.map((row) => examineCell(row, keys)))).flat()
  } catch (error) {
    return [
      fault('cells', `the other cells cannot be read: ${(error as Error).message}`, 'See the other findings'),
    ]
  } finally {
    await pool.end()
  }
}

async function examineCell({ name, url, secret }: Row, keys: { SECRET_KEY: string }): Promise<Finding[]> {
  const path = `${LOCATE_PATH}?kind=project&id=00000000-0000-0000-0000-000000000000`
  try {
    const cell = cellKeysOf(makeProjectBox(keys, CELLS_PURPOSE).open(secret, name))
    const question = { address: '0.0.0.0', projectId: undefined }
    const response = await fetch(url + path, {
      headers: { [FORWARDED]: makeForwardHeader(cell, { method: 'GET', url: path }, question) },
      signal: AbortSignal.timeout(ASK_MS),
      redirect: 'error',
    })
    if (response.status === 403)
      return [
        fault(
          'cells',
          `${name} (${url}) refuses what this installation forwards`,
          'Run `guildhall cell add` in both with the same secret, and compare the clocks of both',
        ),
      ]
    if (response.status !== 200) throw new Error(`it answered ${response.status}`)
    const { version, time } = (await response.json()) as { version: string; time: number }
    const findings: Finding[] = []
    if (version !== VERSION)
      findings.push(
        warning(
          'cells',
          `${name} has version ${version}, and this is ${VERSION}`,
          'Upgrade both: projects move between equal schemas only',
        ),
      )
    if (Math.abs(Date.now() - time) > CLOCK_MS)
      findings.push(
        warning(
          'cells',
          `the clock of ${name} differs by ${Math.round(Math.abs(Date.now() - time) / 1_000)} s`,
          'Let both follow NTP: from 60 s on nothing is forwarded',
        ),
      )
    return findings.length > 0 ? findings : [ok('cells', `${name} (${url}) answers`)]
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } }
    return [
      fault(
        'cells',
        `${name} (${url}) cannot be reached: ${cause?.code ?? message}`,
        'Requests for projects that live there are answered 503. Start it, or correct the address with `guildhall cell add`',
      ),
    ]
  }
}
