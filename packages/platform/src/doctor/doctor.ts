import { misspelled } from '../misspelled.ts'
import { type Config, ConfigError, parseConfig } from '../parse-config.ts'
import { examineCells } from './cells.ts'
import { examineCertificate } from './certificate.ts'
import { examineDatabase } from './database.ts'
import { type Finding, fault, ok, type Patient, warning } from './finding.ts'
import { examineMail, examinePublicAddress, examineRedis, examineStorage } from './services.ts'
import { examineWork } from './work.ts'

/**
 * Looks at everything that an installation needs: settings, key, schema, PostgreSQL, Redis, storage, mail server, clock,
 * address, its certificate, and work that waits. It changes nothing but one object in the storage, which it writes, reads and removes.
 * @returns findings, those of one check together
 */
export async function examine(patient: Patient): Promise<Finding[]> {
  const findings: Finding[] = []
  const config = examineSettings(patient, findings)
  const database = await examineDatabase(patient)
  findings.push(...database)
  // It asks with the login of a process.
  if (database.some(({ check, state }) => check === 'logins' && state === 'ok'))
    findings.push(...(await examineWork(patient)), ...(await examineCells(patient)))
  if (config === undefined) return findings
  const services = await Promise.all([
    examineRedis(config),
    examineStorage(config),
    examineMail(config),
    examinePublicAddress(config),
    examineCertificate(config),
  ])
  return [...findings, ...services.flat()]
}

/** The settings of this environment; undefined where they are wrong. */
function examineSettings(patient: Patient, findings: Finding[]): Config | undefined {
  const { databaseUrl, secretKey, environment } = patient
  try {
    const config = parseConfig({ ...environment, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey })
    const remarks = misspelled(environment)
    for (const remark of remarks)
      findings.push(warning('settings', remark, 'Correct the variable, or remove it'))
    if (remarks.length === 0) findings.push(ok('settings', 'every variable can be read'))
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.message.split('\n'))
      findings.push(fault('settings', line, 'Correct this variable; processes do not start with it'))
    return undefined
  }
}
