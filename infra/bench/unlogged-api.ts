/** The API without the log of requests: what `bench -- audit` measures the log against. */
import { RequestLog } from '#platform/requests/request-log.ts'

RequestLog.prototype.note = () => undefined
await import('../../apps/api/src/main.ts')
