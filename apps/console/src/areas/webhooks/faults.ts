import { t } from '../../data/words.ts'

const names = (): Readonly<Record<string, string>> => ({
  timeout: t('No answer in time'),
  refused: t('Connection refused'),
  unreachable: t('Server not reachable'),
  dns: t('Name not found'),
  tls: t('Certificate not trusted'),
  closed: t('Connection closed'),
  malformed: t('Answer is not HTTP'),
  blocked_address: t('Address not allowed'),
  body_too_large: t('Answer too large'),
  network: t('Network fault'),
})

/** Why an attempt to deliver failed. @param fault as the API names it */
export const faultInWords = (fault: string): string => names()[fault] ?? fault.replaceAll('_', ' ')
