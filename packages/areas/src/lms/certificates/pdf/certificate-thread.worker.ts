// The thread that makes certificates: one at a time, and giving way to the thread that serves requests.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Reply } from './certificate-printer.ts'
import { type CertificatePage, renderCertificate } from './render-certificate.ts'

/** A ninth of the share of a thread with the usual priority, where both want the same core. */
const NICE = 10

// On Linux a priority belongs to a thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(0, NICE)

const say = (reply: Reply) => parentPort?.postMessage(reply)

parentPort?.on('message', (page: CertificatePage) => {
  renderCertificate(page).then(
    (pdf) => say({ pdf }),
    (error: Error) => say({ error: error.message }),
  )
})
