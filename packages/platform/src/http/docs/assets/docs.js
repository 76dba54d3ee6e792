// What all pages of the documentation do: theme, menu, copy buttons, tabs, contents, and the parts that are loaded on demand.

const all = (selector, within = document) => [...within.querySelectorAll(selector)]

/** A value that is remembered, where the browser allows it. */
function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name)
    localStorage.setItem(name, value)
  } catch {
    // Storage is forbidden here: the choice holds for this page.
  }
  return value
}

const root = document.documentElement
document.querySelector('[data-theme-toggle]')?.addEventListener('click', () => {
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = remembered('docs-theme', isDark ? 'light' : 'dark')
})

const side = document.querySelector('.side')
const menu = document.querySelector('[data-menu]')
function showMenu(isShown) {
  side.classList.toggle('shown', isShown)
  menu.setAttribute('aria-expanded', String(isShown))
}
menu?.addEventListener('click', () => showMenu(!side.classList.contains('shown')))
const here = side?.querySelector('[aria-current]')
if (here) side.scrollTop = here.offsetTop - side.clientHeight / 2

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('.copy')
  if (!button) return
  const text = button.parentElement.querySelector('pre').textContent
  await navigator.clipboard.writeText(text).then(
    () => say(button, 'Copied'),
    () => say(button, 'Press Ctrl+C'),
  )
})

function say(button, text) {
  const before = 'Copy'
  button.textContent = text
  setTimeout(() => {
    button.textContent = before
  }, 1500)
}

// The language of the samples is one choice for all pages.
function showTabs(wanted) {
  for (const box of all('[data-tabs]')) {
    const buttons = all('[data-tab]', box)
    const chosen = (buttons.find(({ dataset }) => dataset.tab === wanted) ?? buttons[0])?.dataset.tab
    for (const button of buttons) {
      const isChosen = button.dataset.tab === chosen
      button.setAttribute('aria-selected', String(isChosen))
      button.tabIndex = isChosen ? 0 : -1
    }
    for (const panel of all('[data-panel]', box)) panel.hidden = panel.dataset.panel !== chosen
  }
}
showTabs(remembered('docs-language'))
document.addEventListener('click', ({ target }) => {
  const tab = target.closest('[data-tab]')
  if (tab) showTabs(remembered('docs-language', tab.dataset.tab))
})
document.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const tab = event.target.closest?.('[data-tab]')
  if (!step || !tab) return
  const buttons = all('[data-tab]', tab.parentElement)
  const next = buttons[(buttons.indexOf(tab) + step + buttons.length) % buttons.length]
  showTabs(remembered('docs-language', next.dataset.tab))
  next.focus()
})

// Marks the part that is read in the list of contents.
const links = new Map(all('.contents a').map((link) => [decodeURIComponent(link.hash.slice(1)), link]))
if (links.size > 0) {
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0]
    for (const [id, link] of links) {
      if (id === read.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  mark()
  addEventListener('scroll', mark, { passive: true })
}

// A field that is linked to can be inside of closed details.
function openTarget() {
  let part = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const target = part
  for (; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true
  target?.scrollIntoView()
}
addEventListener('hashchange', openTarget)
if (location.hash) openTarget()

// What is typed while the search is loaded is the begin of its words.
async function openSearch() {
  let typed = ''
  const keep = (event) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    typed += event.key
  }
  addEventListener('keydown', keep, true)
  try {
    const { showSearch } = await import('./search.js')
    showSearch(typed)
  } finally {
    removeEventListener('keydown', keep, true)
  }
}
for (const button of all('[data-search]')) button.addEventListener('click', openSearch)
document.addEventListener('keydown', async (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
  const isCalled = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey))
  if (!isCalled) {
    if (event.key === 'Escape' && side?.classList.contains('shown')) showMenu(false)
    return
  }
  event.preventDefault()
  await openSearch()
})

for (const button of all('[data-try]'))
  button.addEventListener('click', async () => {
    const { explore } = await import('./explorer.js')
    explore(button.closest('.box'), JSON.parse(button.dataset.try))
  })
