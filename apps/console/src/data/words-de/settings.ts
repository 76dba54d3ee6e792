/** German: settings of a project. */
export const SETTINGS: Readonly<Record<string, string>> = {}
