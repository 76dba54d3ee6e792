/**
 * Digits after the decimal point, by ISO 4217 (list one of 2024). `Intl` goes by what is used in cash in places (0 for
 * huf, idr, cop, pkr), and takes codes that there are none of.
 */
const DIGITS: Readonly<Record<string, string>> = {
  0: 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf',
  2: `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf cny cop crc
    cup cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg huf idr ils inr irr jmd kes
    kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn nio nok npr
    nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt
    top try ttd twd tzs uah usd uyu uzs ves wst xcd yer zar zmw zwg`,
  3: 'bhd iqd jod kwd lyd omr tnd',
  4: 'clf uyw',
}
const digits = new Map(
  Object.entries(DIGITS).flatMap(([count, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(count)]),
  ),
)

/** Whether a code, in lower case, is a currency that money is counted in. */
export const isCurrency = (code: string): boolean => digits.has(code)

const digitsOf = (currency: string): number => digits.get(currency) ?? 2

/** An amount as clients write it, in the currency's smallest unit; undefined where it has more digits than that. */
export function toMinor(amount: number, currency: string): number | undefined {
  const minor = Math.round(amount * 10 ** digitsOf(currency))
  return fromMinor(minor, currency) === amount ? minor : undefined
}

/** An amount in the currency's smallest unit, as clients read it. */
export const fromMinor = (minor: number, currency: string): number =>
  Number((minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency)))
