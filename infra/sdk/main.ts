/** Writes packages/sdk/src/api.generated.ts, or with \`--check\` only compares it. */
import { readFile, writeFile } from 'node:fs/promises'
import { readDocument } from './read-document.ts'
import { printApi } from './template.ts'

const FILE = new URL('../../packages/sdk/src/api.generated.ts', import.meta.url)

const text = printApi(await readDocument())
if (!process.argv.includes('--check')) await writeFile(FILE, text)
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
  console.error('packages/sdk/src/api.generated.ts is not of this API: run node infra/sdk/main.ts')
  process.exitCode = 1
}
