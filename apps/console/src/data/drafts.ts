/** What somebody has typed and not saved, kept in this tab until it is saved or the operator logs out. */
export interface StoredDraft {
  /** What differs, by the fields of the form. */
  readonly changes: Readonly<Record<string, unknown>>
  /** The thing that it changes, as it was read. */
  readonly read: unknown
  /** When it was typed last: milliseconds since 1970. */
  readonly at: number
}

const START = 'console-draft:'

/** @param key says whose draft it is, and of what */
export function storedDraft(key: string): StoredDraft | undefined {
  try {
    const text = sessionStorage.getItem(START + key)
    return text === null ? undefined : (JSON.parse(text) as StoredDraft)
  } catch {
    return undefined
  }
}

export function storeDraft(key: string, draft: StoredDraft): void {
  try {
    sessionStorage.setItem(START + key, JSON.stringify(draft))
  } catch {
    // A browser that stores nothing keeps the draft for as long as the form is open.
  }
}

export function forgetDraft(key: string): void {
  try {
    sessionStorage.removeItem(START + key)
  } catch {
    // Nothing was stored.
  }
}

/** After a log-out nobody reads in this tab what was typed. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(START)) sessionStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}
