/** What a finished start prints: a block for people, and as the last line one JSON object for scripts. */
import type { Keys } from './data-folder.ts'

/** What the start has to show. */
export type Started = { baseUrl: string; dataDir: string; catchesMail: boolean; keys: Keys | undefined }

/** The text for stdout. */
export function greeting({ baseUrl, dataDir, catchesMail, keys }: Started): string {
  const docsUrl = `${baseUrl}/docs`
  const forPeople = [
    '',
    'Guildhall is running.',
    '',
    `  API        ${baseUrl}/api/v1`,
    `  Reference  ${docsUrl}`,
    ...(catchesMail ? [`  Mailbox    ${baseUrl}/dev/mailbox`] : []),
    `  Data       ${dataDir}`,
    ...(keys ? demo(baseUrl, keys) : withoutKeys),
    '',
    'Ctrl-C stops it.',
    '',
  ]
  const forScripts = {
    ready: true,
    base_url: baseUrl,
    secret_key: keys?.secretKey ?? null,
    public_key: keys?.publicKey ?? null,
    docs_url: docsUrl,
  }
  return `${forPeople.join('\n')}\n${JSON.stringify(forScripts)}\n`
}

function demo(baseUrl: string, keys: Keys): string[] {
  return [
    '',
    'A demo project is there to try things on:',
    '',
    `  Secret key  ${keys.secretKey}`,
    `  Public key  ${keys.publicKey}`,
    '',
    'Its members:',
    '',
    `  curl -H 'Authorization: Bearer ${keys.secretKey}' ${baseUrl}/api/v1/members`,
  ]
}

const withoutKeys = [
  '',
  'This database has a demo project whose keys are not kept in this data folder. A key of your own:',
  '',
  '  npm run guildhall -- project list',
  '  npm run guildhall -- key create --project <id> --environment test --type secret --name mine',
]
