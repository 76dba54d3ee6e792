import { type Command, Option } from 'commander'
import { readEnvironment } from '#platform/config.ts'
import type { Finding } from '#platform/doctor/finding.ts'
import type { Variables } from '#platform/files-as-values.ts'
import { findPlace } from './operator.ts'

const SIGNS = { ok: '✓', warning: '!', fault: '✗' } as const

/** The command that looks for what keeps an installation from working. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'look for what keeps this installation from working, and say how to mend it: settings, SECRET_KEY, schema, PostgreSQL, Redis, file storage, mail server, clock, address, the single sign-on of operators, and work that waits. Run it with the environment of the processes, and the login of the owner in DATABASE_DIRECT_URL or DATABASE_URL. It ends with 1 if something does not work',
    )
    .addOption(new Option('--json', 'print the result as one JSON object'))
    .action(async ({ json }: { json?: boolean }) => {
      const { databaseUrl, directUrl = databaseUrl, secretKey } = await findPlace()
      const { examine } = await import('#platform/doctor/doctor.ts')
      const environment = readEnvironment()
      const findings = [
        ...(await examine({ databaseUrl, directUrl, secretKey, environment })),
        ...(await examineSignOn({ ...environment, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey })),
      ]
      const faults = findings.filter(({ state }) => state === 'fault').length
      if (json) console.log(JSON.stringify({ ok: faults === 0, findings }))
      else
        for (const { check, state, found, cure } of findings) {
          console.log(`${SIGNS[state]} ${check}: ${found}`)
          if (cure !== undefined) console.log(`    ${cure}.`)
        }
      if (faults > 0) process.exitCode = 1
    })
}

/** Nothing where settings are wrong, which is another finding. */
async function examineSignOn(environment: Variables): Promise<Finding[]> {
  const { ConfigError, parseConfig } = await import('#platform/parse-config.ts')
  const { examineIssuer } = await import('#areas/auth/sso/examine-issuer.ts')
  try {
    return await examineIssuer(parseConfig(environment))
  } catch (error) {
    if (error instanceof ConfigError) return []
    throw error
  }
}
