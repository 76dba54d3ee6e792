// Before the first paint: the reader's choice of dark or light, and that scripts run.
const root = document.documentElement
root.classList.add('js')
try {
  const theme = localStorage.getItem('docs-theme')
  if (theme) root.dataset.theme = theme
} catch {
  // Storage is forbidden here: the system decides.
}
