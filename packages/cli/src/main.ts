#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { Failure, sentenceOf } from './failure.ts'
import { listen } from './listen/listen.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { serveMcp } from './mcp/serve.ts'
import type { Given } from './options.ts'
import { whoami } from './whoami.ts'

const HELP = `guildhall-cli <command> [options]

Commands
  login     Log in by your browser, or keep a key with --api-key
  logout    Forget the log-in, and end it at the API
  whoami    Show as whom commands act, and on which project
  listen    Get the webhooks of the project on this machine
  mcp       Serve the API to an assistant, by the Model Context Protocol on stdin and stdout

Options of all commands
  --url <address>      Where the API is, or GUILDHALL_URL. Default: that of the log-in
  --api-key <key>      A secret key in place of the log-in, or GUILDHALL_API_KEY
  --json               Print JSON, one value a line

login
  --no-browser         Only print the address of the page

listen
  --forward <address>  Where each event is sent, such as http://localhost:4000/webhooks
  --events <types>     Event types with commas between them, such as member.*,order.paid. Default: all
  --secret <whsec_…>   Sign with this secret, or GUILDHALL_WEBHOOK_SECRET. Default: a new one, which is printed
  --since <number>     Begin after the event with this number, within the last 24 hours

mcp
  --write              Also call operations that change something, each after a confirmation
`

const COMMANDS: Readonly<Record<string, (given: Given) => Promise<void>>> = {
  login,
  logout,
  whoami,
  listen,
  mcp: serveMcp,
}

/** Options by the commands that take them. */
const OWN_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  login: ['no-browser'],
  listen: ['forward', 'events', 'secret', 'since'],
  mcp: ['write'],
}

function read(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...{ url: text, 'api-key': text, json: flag, help: { ...flag, short: 'h' } },
      ...{ 'no-browser': flag, forward: text, events: text, secret: text, since: text, write: flag },
    },
  })
}

/** @throws Failure for a wrong call */
async function run(args: string[]): Promise<void> {
  let parsed: ReturnType<typeof read>
  try {
    parsed = read(args)
  } catch (error) {
    throw new Failure(`${(error as Error).message}\nguildhall-cli --help shows all options`, 2)
  }
  const { values, positionals } = parsed
  const [name, ...others] = positionals
  if (values.help || name === undefined) {
    process.stdout.write(HELP)
    if (!values.help) process.exitCode = 2
    return
  }
  const command = COMMANDS[name]
  if (command === undefined) throw new Failure(`'${name}' is no command\n\n${HELP}`, 2)
  if (others.length > 0) throw new Failure(`${name} takes no '${others[0]}'`, 2)
  const shared = ['url', 'api-key', 'json', ...(OWN_OPTIONS[name] ?? [])]
  const wrong = Object.keys(values).find((option) => !shared.includes(option))
  if (wrong !== undefined) throw new Failure(`${name} has no option --${wrong}`, 2)
  await command(values)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exitCode = error instanceof Failure ? error.exitCode : 1
}
