const STORED = 'console-theme'
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** What the operator has chosen; `system` follows the machine. */
export function presentTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORED)
    return THEMES.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Shows the chosen theme. Called before anything is shown. */
export function showTheme(): void {
  const theme = presentTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORED, theme)
  } catch {
    // A browser that stores nothing follows the machine.
  }
  showTheme()
}
