import { ThreadPool } from '#platform/threads/thread-pool.ts'
import type { CertificatePage, Rendered } from './render-certificate.ts'

/** How many may wait for their turn. */
const WAITING = 50
/** The first one, which loads the libraries and fonts, takes a second or two. */
const TIME_LIMIT_MS = 20_000
/** Of JavaScript. Fonts that are open take 8 MB more, and the libraries that shape and cut them about 100 MB. */
const MEMORY_MB = 64

/** Makes certificates as PDF in a thread that is started when the first one is asked for, and that loads the fonts. */
export const startCertificatePrinter = () =>
  new ThreadPool<CertificatePage, Rendered>({
    module: new URL('certificate.worker.ts', import.meta.url),
    ...{ threads: 1, waiting: WAITING, timeLimitMs: TIME_LIMIT_MS, memoryMb: MEMORY_MB },
    busy: 'Too many certificates are being made now',
  })
