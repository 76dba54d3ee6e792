/** What a finished start prints: a block for people, and as the last line one JSON object for scripts. */
import type { Project } from '#areas/projects/service.ts'
import type { Keys } from './data-folder.ts'

/** What the start has to show. */
export type Started = {
  baseUrl: string
  dataDir: string
  catchesMail: boolean
  keys: Keys | undefined
  /** The demo project, or the first one. */
  project: Project | undefined
  /** A token that logs in to the console once, from this machine. */
  login: string | undefined
  /** Where the demo site is, if there is one. */
  siteUrl: string | undefined
}

/** The text for stdout. */
export function greeting(started: Started): string {
  const { baseUrl, dataDir, catchesMail, keys, project, login, siteUrl } = started
  const docsUrl = `${baseUrl}/docs`
  const consoleUrl = login === undefined ? undefined : `${baseUrl}/console/start?token=${login}`
  const forPeople = [
    '',
    'Guildhall is running.',
    '',
    `  API        ${baseUrl}/api/v1`,
    `  Reference  ${docsUrl}`,
    `  Console    ${consoleUrl ?? `${baseUrl}/console`}`,
    ...(catchesMail ? [`  Mailbox    ${baseUrl}/dev/mailbox`] : []),
    ...(siteUrl === undefined ? [] : [`  Demo site  ${siteUrl}`]),
    `  Data       ${dataDir}`,
    ...(keys ? demo(baseUrl, keys) : withoutKeys),
    ...(project ? sidesOf(project) : []),
    '',
    `Next: follow “A first minute” in README.md, or read ${docsUrl}.`,
    '',
    'Ctrl-C stops everything.',
    '',
  ]
  const forScripts = {
    ready: true,
    base_url: baseUrl,
    secret_key: keys?.secretKey ?? null,
    public_key: keys?.publicKey ?? null,
    docs_url: docsUrl,
    console_url: consoleUrl ?? null,
    site_url: siteUrl ?? null,
    project_id: project?.id ?? null,
    live_audience: project?.live_audience ?? null,
    test_audience: project?.test_audience ?? null,
  }
  return `${forPeople.join('\n')}\n${JSON.stringify(forScripts)}\n`
}

function demo(baseUrl: string, keys: Keys): string[] {
  return [
    '',
    'You can try things out in a demo project:',
    '',
    `  Secret key  ${keys.secretKey}`,
    `  Public key  ${keys.publicKey}`,
    '',
    'List its members:',
    '',
    `  curl -H 'Authorization: Bearer ${keys.secretKey}' ${baseUrl}/api/v1/members`,
  ]
}

/** A project has two sides with data of their own. */
const sidesOf = ({ id, name, live_audience, test_audience }: Project): string[] => [
  '',
  `The project is ${name}, ${id}. It has two sides that share no data:`,
  '',
  `  live  access tokens of its members have aud ${live_audience}`,
  `  test  access tokens of its members have aud ${test_audience}; the demo keys belong to this side`,
]

const withoutKeys = [
  '',
  'The database has a demo project, but its keys are not in this data folder. Create your own key:',
  '',
  '  npm run guildhall -- project list',
  '  npm run guildhall -- key create --project <id> --environment test --type secret --name mine --permissions admin',
]
