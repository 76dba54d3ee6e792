/** The mail catcher: an SMTP server that keeps what it is given in the data folder, for /dev/mailbox to show. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SMTPServer } from 'smtp-server'
import { StartError } from '../start-error.ts'
import type { Part } from './part.ts'

/** Older mails make room for newer ones. */
const KEPT = 500
const LARGEST_MAIL = 10 * 1024 * 1024

/** Catches mail on a port of its own on this machine; the processes that start later send there. */
export function mailCatcher(dataDir: string, mailFrom: string): Part {
  const folder = join(dataDir, 'mail')
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: LARGEST_MAIL,
    // Whoever is still connected is one of our own processes, and stopped before this.
    closeTimeout: 100,
    onData: (stream, _session, done) => {
      keep(folder, stream).then(
        () => done(),
        (error: Error) => done(error),
      )
    },
  })
  // A client that goes away in the middle of a mail sends it again.
  server.on('error', () => undefined)
  return {
    name: 'the mail catcher',
    async start() {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        throw new StartError(`Mail cannot be stored in ${folder} (${error.code}).`)
      })
      await new Promise<void>((resolve, reject) => {
        server.server.once('error', reject)
        server.listen(0, '127.0.0.1', resolve)
      })
      const { port } = server.server.address() as AddressInfo
      return { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: mailFrom, MAILBOX_DIR: folder }
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Writes a mail to a file whose name tells its place in time: it appears whole or not at all. */
async function keep(folder: string, mail: NodeJS.ReadableStream): Promise<void> {
  const path = join(folder, `${Date.now()}-${randomBytes(4).toString('hex')}`)
  await pipeline(mail, createWriteStream(`${path}.part`, { mode: 0o600 }))
  await rename(`${path}.part`, `${path}.eml`)
  const names = (await readdir(folder)).sort()
  for (const name of names.slice(0, Math.max(0, names.length - KEPT)))
    await rm(join(folder, name), { force: true })
}
