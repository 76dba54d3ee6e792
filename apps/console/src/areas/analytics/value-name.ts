import { countryName } from '../../data/country-name.ts'
import { t } from '../../data/words.ts'

const deviceNames = (): Readonly<Record<string, string>> => ({
  desktop: t('Computer'),
  mobile: t('Phone'),
  tablet: t('Tablet'),
  tv: t('Television'),
})

const channelNames = (): Readonly<Record<string, string>> => ({
  Direct: t('Direct'),
  Referral: t('Referral'),
  Email: t('Email'),
  Display: t('Display'),
  Affiliates: t('Affiliates'),
  'AI Assistants': t('AI assistants'),
  'Organic Search': t('Organic search'),
  'Organic Social': t('Organic social'),
  'Paid Search': t('Paid search'),
  'Paid Social': t('Paid social'),
  'Paid Other': t('Paid, other'),
})

/** A value of a dimension such as `country` in the operator's language. What the site names itself stays as it is. */
export function valueName(dimension: string, value: string): string {
  if (value === '') return t('None')
  if (dimension === 'country') return countryName(value)
  if (dimension === 'device') return deviceNames()[value] ?? value
  if (dimension === 'channel') return channelNames()[value] ?? value
  return dimension === 'source' && value === 'Direct' ? t('Direct') : value
}
