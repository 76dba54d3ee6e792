/**
 * Writes what is made of the API's document: packages/sdk/src/api.generated.ts, and the forms of the console. With \`--check\` it only
 * compares them.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { printForms } from '../console/forms.ts'
import { readDocument } from './read-document.ts'
import { printApi } from './template.ts'

const ROOT = new URL('../../', import.meta.url)
const FORMS = 'apps/console/src/forms.generated/'

const document = await readDocument()
const forms = [...printForms(document)].map(([name, text]) => [`${FORMS}${name}.ts`, text] as const)
const wanted = new Map([['packages/sdk/src/api.generated.ts', printApi(document)], ...forms])
const present = (await readdir(new URL(FORMS, ROOT)).catch(() => [])).map((name) => FORMS + name)
const tooMany = present.filter((path) => !wanted.has(path))
const stale: string[] = []
for (const [path, text] of wanted)
  if ((await readFile(new URL(path, ROOT), 'utf8').catch(() => '')) !== text) stale.push(path)

if (process.argv.includes('--check')) {
  for (const path of [...stale, ...tooMany])
    console.error(`${path} is not of this API: run node infra/sdk/main.ts`)
  process.exitCode = stale.length + tooMany.length === 0 ? 0 : 1
} else {
  await mkdir(new URL(FORMS, ROOT), { recursive: true })
  for (const path of stale) await writeFile(new URL(path, ROOT), wanted.get(path) ?? '')
  for (const path of tooMany) await rm(new URL(path, ROOT))
}
