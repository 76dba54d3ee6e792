import { httpReceiver } from '../../servers/receiver.ts'

/** A customer's site: one page whose script calls the API with a public key, as a browser lets it. */
export interface Site {
  /** `http://localhost:<port>`: a domain, which passkeys need, and as good as HTTPS to a browser. */
  readonly origin: string
  close(): Promise<void>
}

/**
 * Serves the site.
 * @param api where the API is
 * @param key a public key
 */
export async function startSite(api: string, key: string): Promise<Site> {
  const page = PAGE.replace('"api"', JSON.stringify(`${api}/api/v1`)).replace('"key"', JSON.stringify(key))
  const server = await httpReceiver((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page)
  })
  return { origin: `http://localhost:${server.port}`, close: server.close }
}

const PAGE = `<!doctype html>
<html lang="en">
<title>A site</title>
<h1 id="who">Nobody is logged in</h1>
<p id="news" role="status"></p>
<label>Email <input id="email"></label>
<label>Password <input id="password" type="password"></label>
<label>Code <input id="code"></label>
<div id="buttons"></div>
<ul id="sessions"></ul>
<script type="module">
const API = "api", KEY = "key"
let session, mfaToken, factor
const $ = (id) => document.getElementById(id)
const home = location.origin + location.pathname
const say = (text) => { $('news').textContent = text }

async function call(method, path, body, credential = KEY) {
  const answer = await fetch(API + path, {
    method,
    headers: { authorization: 'Bearer ' + credential, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, ...(await answer.json()) }
}
const asMember = (method, path, body) => call(method, path, body, session.access_token)
const enter = () => ({ email: $('email').value, password: $('password').value })

function come(answer) {
  mfaToken = answer.mfa_token
  if (mfaToken) return say('Second factor: ' + answer.factors.map(({ type }) => type).join(', '))
  if (!answer.session) return say(answer.code ?? 'Look at your mail')
  session = answer.session
  show()
}
function show() {
  const { aal, amr } = JSON.parse(atob(session.access_token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')))
  $('who').textContent = aal + ' ' + amr.join('+')
  say('Welcome')
}
async function renew() {
  session = (await call('POST', '/auth/refresh', { refresh_token: session.refresh_token })).session
  show()
}
async function list() {
  const { data } = await asMember('GET', '/auth/sessions')
  $('sessions').replaceChildren(...data.map(({ id, amr, current }) => {
    const item = document.createElement('li')
    item.textContent = amr.join('+') + (current ? ' (this one) ' : ' ')
    const button = document.createElement('button')
    button.textContent = 'End'
    button.onclick = async () => { await asMember('DELETE', '/auth/sessions/' + id); await list() }
    item.append(button)
    return item
  }))
}

// What a browser does with passkeys, as JSON.
globalThis.createPasskey = async (options) =>
  (await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })).toJSON()
globalThis.showPasskey = async (options) =>
  (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON()
globalThis.call = call

const actions = {
  'Sign up': async () => come(await call('POST', '/auth/signup', { ...enter(), redirect_url: home })),
  'Log in': async () => come(await call('POST', '/auth/login', enter())),
  'Mail me a link': async () => {
    await call('POST', '/auth/magic-link', { email: $('email').value, redirect_url: home })
    say('Look at your mail')
  },
  'Log out': async () => {
    await asMember('POST', '/auth/logout', {})
    $('who').textContent = 'Nobody is logged in'
    say((await asMember('GET', '/user/profile')).code)
  },
  'Add an app': async () => {
    factor = (await asMember('POST', '/auth/mfa/totp', {})).data
    say(factor.secret)
  },
  'Confirm the app': async () => {
    const { data } = await asMember('POST', '/auth/mfa/totp/verify', { factor_id: factor.id, code: $('code').value })
    await renew()
    say(data.recovery_codes.length + ' recovery codes')
  },
  'Send the code': async () => come(await call('POST', '/auth/mfa/verify', { mfa_token: mfaToken, code: $('code').value })),
  'Add a passkey': async () => {
    const { data } = await asMember('POST', '/auth/passkeys/options', {})
    const credential = await createPasskey(data)
    const { data: passkey, code } = await asMember('POST', '/auth/passkeys/register', { name: 'Laptop', credential })
    say(passkey ? 'Added ' + passkey.name : code)
  },
  'Use a passkey': async () => {
    const { data } = await call('POST', '/auth/passkeys/login/options', {})
    come(await call('POST', '/auth/passkeys/login', { credential: await showPasskey(data) }))
  },
  'Show sessions': list,
}
for (const [name, act] of Object.entries(actions)) {
  const button = document.createElement('button')
  button.textContent = name
  button.onclick = () => act().catch((error) => say(String(error)))
  $('buttons').append(button)
}

// Whoever comes back from a mail has a one-time token.
const code = new URLSearchParams(location.search).get('token')
if (code) {
  history.replaceState(null, '', home)
  come(await call('POST', '/auth/magic-link/verify', { token: code }))
}
</script>`
