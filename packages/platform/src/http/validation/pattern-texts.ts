// What the patterns of the API say in words. A refusal shows these, because few readers take in a regular expression at once.

const LINE = 'must be one line without control characters'
const SLUG = 'must have small letters a to z and digits, with single hyphens between them'
const NAME = 'must begin with a small letter or a digit, and have small letters, digits, _ and - only'
const URL = 'must be an address that begins with http:// or https://'
const LANGUAGE = 'must be a language tag'

const TEXTS: Readonly<Record<string, string>> = {
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$': LINE,
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*\\S[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$': `${LINE}, with a letter or a digit at least`,
  '^[^\\u0000-\\u001f\\u007f\\u2028-\\u202e\\u2066-\\u2069]*$': `${LINE}, and none that turns the direction of writing`,
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$': `${LINE}, and none that turns the direction of writing`,
  '^[^\\u0000-\\u001f\\u007f/\\\\]*$': 'must be the name of a file, without / and \\ and control characters',
  '^/[^\\u0000-\\u001f]*$': 'must be the path of a page: it begins with /',
  '^[a-z0-9]+(-[a-z0-9]+)*$': SLUG,
  '^[\\p{L}\\p{N}\\p{M}]+(-[\\p{L}\\p{N}\\p{M}]+)*$':
    'must have letters and digits, with single hyphens between them',
  '^[a-z0-9][a-z0-9_-]{0,39}$': `${NAME}: 40 at most`,
  '^[a-z][a-z0-9_-]{0,31}$':
    'must begin with a small letter, and have small letters, digits, _ and - only: 32 at most',
  '^[A-Za-z][A-Za-z0-9_-]*$': 'must begin with a letter, and have letters, digits, _ and - only',
  '^[A-Za-z0-9][A-Za-z0-9_-]*$':
    'must begin with a letter or a digit, and have letters, digits, _ and - only',
  '^[a-z]{3}$': 'must be a currency: three small letters',
  '^[A-Z]{2}$': 'must be a country: two capital letters',
  '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$': LANGUAGE,
  '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$': LANGUAGE,
  '^#[0-9A-Fa-f]{6}$': 'must be a color: # and six hexadecimal digits',
  '^\\d{6}$': 'must be 6 digits',
  '^\\d{4}-\\d\\d-\\d\\d$': 'must be a day: YYYY-MM-DD',
  '^\\d{1,5}x\\d{1,5}$': 'must be a width and a height in pixels',
  '^https?://\\S+$': URL,
  '^https?://[^\\s]+$': URL,
  '^(https?://[^\\s\\\\]+|/([^/\\s\\\\][^\\s\\\\]*)?)$': `${URL}, or a path that begins with one /`,
  '^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$':
    'must be a domain, like example.com',
  '^[a-z0-9.+-]+/([a-z0-9.+-]+|\\*)$': 'must be a type of files in small letters; * stands for all of a kind',
  '^[\\w.+-]+/[\\w.+-]+$': 'must be a type of files',
  '^[\\x21-\\x7e]+$': 'must have printable ASCII characters only, and no spaces',
  '^"?[\\w+/=-]+"?$': 'must be the ETag that the storage answered',
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$": 'must be the name of a header',
  '^([!-~]([\\t -~]*[!-~])?)?$':
    'must be the value of a header: printable ASCII characters, with no space at its ends',
  '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$': 'must be whsec_ and 24 to 64 bytes in base64',
  '^[A-Za-z0-9_-]{43}$': 'must be the 43 characters of a SHA-256 in base64url',
  '^[A-Za-z0-9._~-]{43,128}$': 'must have 43 to 128 letters, digits and . _ ~ -',
  '^[\\w-]+=*$': 'must be base64url',
  '^[0-9a-f]{32}$': 'must be 32 hexadecimal digits in small letters',
  '^[0-9a-f]{64}$': 'must be 64 hexadecimal digits in small letters',
  '^[a-z_]{1,32}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$': 'must be the map_next of the answer before',
  '^metadata\\.': 'must begin with metadata.',
}

/** `^(?:a|b)(?:,(?:a|b))*$`: words of a list, separated by commas. */
const WORDS = /^\^\(\?:([\w|.]+)\)\(\?:,\(\?:\1\)\)\*\$$/
/** `^mem_…(?:,mem_…){0,99}$`: ids that are separated by commas. */
const IDS = /^\^([a-z]+_)\[0-9a-z\]\{26\}\(\?:,\1\[0-9a-z\]\{26\}\)\{0,(\d+)\}\$$/

/** What a pattern of the API says, such as "must be 6 digits"; undefined for one that nobody has put in words. */
export function patternText(pattern: string): string | undefined {
  const [, words] = WORDS.exec(pattern) ?? []
  if (words !== undefined)
    return `must be words of this list, separated by commas: ${words.replaceAll('|', ', ')}`
  const [, prefix, more] = IDS.exec(pattern) ?? []
  if (prefix !== undefined)
    return `must be ids that begin with ${prefix}, separated by commas: ${Number(more) + 1} at most`
  return TEXTS[pattern]
}
