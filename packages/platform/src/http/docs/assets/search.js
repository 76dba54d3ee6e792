// The search over all pages. It is loaded when somebody searches, and its index with it.
import MiniSearch from './minisearch.js'

// As search-index.ts makes it.
const OPTIONS = {
  idField: 'path',
  fields: ['title', 'summary', 'words'],
  storeFields: ['title', 'summary', 'kind', 'section'],
}
const MOST = 12

let dialog
let index

// Pages of the documentation are below the folder of the assets, wherever a proxy has put it.
const addressOf = (path) => new URL(`..${path.slice('/docs'.length) || '/../docs'}`, import.meta.url).href

async function load() {
  const answer = await fetch(new URL('../search.json', import.meta.url))
  if (!answer.ok) throw new Error(`the index is not there: ${answer.status}`)
  index = MiniSearch.loadJSON(await answer.text(), OPTIONS)
}

const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

function build() {
  const input = make('input', {
    // A field of the type `search` would take Escape for itself.
    type: 'text',
    placeholder: 'Search operations, events, errors, guides …',
    'aria-label': 'Search',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'found',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const list = make('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results' })
  const note = make('p', { role: 'status' })
  dialog = make('dialog', { class: 'finder', 'aria-label': 'Search the documentation' }, input, list, note)
  document.body.append(dialog)
  input.addEventListener('input', () => show(input, list, note))
  input.addEventListener('keydown', (event) => move(event, input, list))
  // A click beside the dialog closes it.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
}

const style = document.createElement('link')
style.rel = 'stylesheet'
style.href = new URL('./overlay.css', import.meta.url).href
document.head.append(style)

/** Opens the search. @param typed what was typed before there was a field for it */
export async function showSearch(typed = '') {
  if (!dialog) build()
  if (!dialog.open) dialog.showModal()
  const [input, list, note] = dialog.children
  input.select()
  if (typed !== '') {
    input.value = typed
    show(input, list, note)
  }
  if (index) return
  note.textContent = 'Loading …'
  try {
    await load()
    show(input, list, note)
  } catch {
    note.textContent = 'The search cannot be loaded now. Close it and try again.'
  }
}

function show(input, list, note) {
  const query = input.value.trim()
  const found = index && query !== '' ? search(query) : []
  list.replaceChildren(...found.slice(0, MOST).map(option))
  select(input, list, 0)
  note.textContent =
    !index || query === '' ? '' : found.length === 0 ? `Nothing is found for “${query}”.` : ''
}

function search(query) {
  const options = {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 6, summary: 2 },
    boostDocument: (_, __, { kind }) => ({ Guide: 2, API: 1.5, Error: 1.2 })[kind] ?? 1,
  }
  const strict = index.search(query, { ...options, combineWith: 'AND' })
  return strict.length > 0 ? strict : index.search(query, options)
}

function option({ id, title, summary, kind, section }, i) {
  const about = section && section !== 'Events' && section !== 'Errors' ? section : kind
  const link = make(
    'a',
    { href: addressOf(id), tabindex: '-1' },
    make('b', {}, title),
    make('i', {}, about),
    make('span', {}, summary),
  )
  return make('li', { id: `found-${i}`, role: 'option', 'aria-selected': 'false' }, link)
}

function select(input, list, wanted) {
  const options = [...list.children]
  for (const [i, each] of options.entries()) each.setAttribute('aria-selected', String(i === wanted))
  if (options[wanted]) {
    input.setAttribute('aria-activedescendant', options[wanted].id)
    options[wanted].scrollIntoView({ block: 'nearest' })
  } else input.removeAttribute('aria-activedescendant')
}

function move(event, input, list) {
  const options = [...list.children]
  const at = options.findIndex((each) => each.getAttribute('aria-selected') === 'true')
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step && options.length > 0) {
    event.preventDefault()
    select(input, list, (at + step + options.length) % options.length)
  } else if (event.key === 'Enter' && options[at]) {
    event.preventDefault()
    options[at].querySelector('a').click()
    dialog.close()
  }
}
