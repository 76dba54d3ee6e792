// "Try it": a form for one call, loaded when somebody opens it. The key is a variable of this page and is nowhere stored.

let key = ''

const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

const KEYS = {
  secretKey: 'Secret key (svc_sk_…)',
  publicKey: 'Public key (svc_pk_…)',
  memberToken: 'Access token of a member',
}

function field(label, input) {
  return make('label', {}, make('span', {}, label), input)
}

const style = document.createElement('link')
style.rel = 'stylesheet'
style.href = new URL('./overlay.css', import.meta.url).href
document.head.append(style)

/** Puts the form below the samples of an operation, or takes it away again. */
export function explore(box, operation) {
  const before = box.parentElement.querySelector('.explorer')
  if (before) {
    before.remove()
    return
  }
  const { credentials, parameters, body, parts } = operation
  const form = make(
    'form',
    { class: 'box explorer', 'aria-label': 'Try it' },
    make('p', { class: 'bar' }, 'Try it'),
  )
  if (credentials.length > 0) {
    const label = credentials.map((name) => KEYS[name] ?? name).join(' or ')
    const input = make('input', { type: 'password', name: 'key', autocomplete: 'off', required: '' })
    input.value = key
    input.addEventListener('input', () => {
      key = input.value.trim()
    })
    form.append(field(label, input))
  }
  for (const [i, parameter] of parameters.entries()) {
    const isPath = parameter.in === 'path'
    const input = make('input', { name: `p${i}`, placeholder: parameter.example, autocomplete: 'off' })
    if (isPath || parameter.required) input.required = true
    form.append(field(isPath ? parameter.name : `${parameter.name} (${parameter.in})`, input))
  }
  if (body !== undefined) {
    const input = make('textarea', {
      name: 'body',
      rows: String(Math.min(14, body.split('\n').length + 1)),
      spellcheck: 'false',
    })
    input.value = body
    form.append(field('Body', input))
  }
  for (const part of parts ?? []) form.append(...partFields(part))
  const button = make('button', { class: 'try', type: 'submit' }, `Send ${operation.method}`)
  const output = make('div', { class: 'output', 'aria-live': 'polite' })
  form.append(make('div', { class: 'send' }, button), output)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    await send(form, operation, button, output)
  })
  box.after(form)
  form.querySelector('input, textarea')?.focus()
}

/** A part of a form can be a file or a text. */
const partFields = (part) => [
  field(`${part} (file)`, make('input', { type: 'file', name: `file:${part}` })),
  field(`${part} (text)`, make('input', { name: `text:${part}`, autocomplete: 'off' })),
]

function requestOf(form, { url, method, credentials, parameters, body, parts }) {
  const values = new FormData(form)
  const headers = {}
  const query = new URLSearchParams()
  let address = url
  for (const [i, parameter] of parameters.entries()) {
    const value = String(values.get(`p${i}`) ?? '')
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (parameter.in === 'header') headers[parameter.name] = value
    else query.set(parameter.name, value)
  }
  if (credentials.length > 0) headers.authorization = `Bearer ${key}`
  let sent
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    sent = values.get('body')
  } else if (parts) {
    sent = new FormData()
    for (const part of parts) {
      const file = values.get(`file:${part}`)
      const text = values.get(`text:${part}`)
      if (text) sent.append(part, text)
      else if (file?.size > 0) sent.append(part, file)
    }
  }
  return [
    query.size > 0 ? `${address}?${query}` : address,
    { method, headers, body: sent, credentials: 'omit' },
  ]
}

async function send(form, operation, button, output) {
  const isChange = operation.method !== 'GET'
  if (
    isChange &&
    key.includes('_live_') &&
    !confirm('This key is live: the call changes live data. Send it?')
  )
    return
  button.disabled = true
  const begun = performance.now()
  try {
    const answer = await fetch(...requestOf(form, operation))
    const text = await answer.text()
    const about = make(
      'p',
      { class: 'status' },
      make('b', { class: answer.ok ? 'ok' : 'bad' }, `${answer.status} ${answer.statusText}`),
      ` in ${Math.round(performance.now() - begun)} ms`,
    )
    output.replaceChildren(about, make('pre', { tabindex: '0' }, pretty(text)))
  } catch (error) {
    output.replaceChildren(make('p', { class: 'bad' }, `No answer: ${error.message}`))
  } finally {
    button.disabled = false
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
