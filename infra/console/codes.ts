import { execFile, spawn, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'

// What a screen shows of itself as code, and what it does where it is run.

/** A call in the languages in which a screen shows it. */
export interface Code {
  /** The screen. */
  readonly at: string
  readonly curl: string
  readonly SDK: string
  readonly Python: string
}

/** The calls that the present screen shows as code. @param at its name, such as `members/$id` */
export async function codesOf(page: Page, at: string): Promise<Code[]> {
  // Buttons of forms have the same name.
  await page.getByRole('main').locator('header').getByRole('button', { name: 'Show as code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Show as code' })
  const shown = async (language: string) => {
    await dialog.getByRole('button', { name: language, exact: true }).click()
    return (await dialog.getByLabel(language, { exact: true }).textContent()) ?? ''
  }
  await dialog.getByLabel('curl', { exact: true }).waitFor()
  const requests = dialog.getByLabel('Request')
  const values = await requests
    .locator('option')
    .evaluateAll((all) => all.map((each) => each.getAttribute('value')))
  const codes: Code[] = []
  for (const value of values.length === 0 ? [null] : values) {
    if (value !== null) await requests.selectOption(value)
    codes.push({ at, curl: await shown('curl'), SDK: await shown('SDK'), Python: await shown('Python') })
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  return codes
}

/** What a code printed, or why it failed. */
export type Outcome = { readonly printed: string } | { readonly failed: string }

type Environment = Readonly<Record<string, string | undefined>>

/** Runs codes in one process of their language, which takes them as JSON and answers with the outcome of each. */
async function runIn(command: string, args: readonly string[], codes: readonly string[], env: Environment) {
  const child = spawn(command, args, { env: env as NodeJS.ProcessEnv, stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stdin.end(JSON.stringify(codes))
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  return JSON.parse(output) as Outcome[]
}

const PYTHON = `
import contextlib, io, json, sys
outcomes = []
for code in json.load(sys.stdin):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, {})
        outcomes.append({"printed": printed.getvalue()})
    except Exception as error:
        outcomes.append({"failed": repr(error)})
print(json.dumps(outcomes))
`

export const hasPython = spawnSync('python3', ['--version']).status === 0

export const runPython = (codes: readonly string[], env: Environment): Promise<Outcome[]> =>
  runIn('python3', ['-c', PYTHON], codes, env)

const LIBRARY = new URL('../../packages/sdk/src/guildhall.ts', import.meta.url).href
const MODULES = `
const outcomes = []
const print = console.log
let input = ''
for await (const chunk of process.stdin) input += chunk
for (const code of JSON.parse(input)) {
  const printed = []
  console.log = (value) => printed.push(JSON.stringify(value))
  await import('data:text/javascript,' + encodeURIComponent(code)).then(
    () => outcomes.push({ printed: printed.join('') }),
    (error) => outcomes.push({ failed: String(error) }),
  )
}
print(JSON.stringify(outcomes))
`

export const runModules = (codes: readonly string[], env: Environment): Promise<Outcome[]> =>
  runIn(
    process.execPath,
    ['--input-type=module', '-e', MODULES],
    codes.map((code) => code.replace("'@guildhall/sdk'", JSON.stringify(LIBRARY))),
    env,
  )

/** The API may run in this process, which therefore must not wait. */
export async function runCurl(code: string, env: Environment): Promise<Outcome> {
  const options = { env: env as NodeJS.ProcessEnv }
  return promisify(execFile)('bash', ['-c', `${code} -sS --fail-with-body`], options).then(
    ({ stdout }) => ({ printed: stdout }),
    (error: { stdout?: string; stderr?: string }) => ({ failed: `${error.stdout} ${error.stderr}` }),
  )
}
