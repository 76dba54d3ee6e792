// What the thread does that makes certificates.
import { giveWay } from '#platform/threads/low-priority.ts'
import { renderCertificate } from './render-certificate.ts'

giveWay()

export default renderCertificate
