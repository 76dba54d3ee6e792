import about from '../../../package.json' with { type: 'json' }

/** The version of Guildhall, as package.json names it. */
export const VERSION = about.version
