/** The script of the page: it asks the console's API, with the session of the browser. It puts texts in as texts. */
export const SCRIPT = `
const $ = (id) => document.getElementById(id)
let token = ''
const say = (text) => { $('said').textContent = text }
async function ask(method, path, body, isAgain) {
  const response = await fetch(path, {
    method,
    headers: {
      'x-guildhall-console': '1',
      ...(token && { authorization: 'Bearer ' + token }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.status === 401 && token && !isAgain) {
    await enter()
    return ask(method, path, body, true)
  }
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status })
  return answer
}
function part(name) {
  for (const id of ['log-in', 'type', 'decide', 'done']) $(id).hidden = id !== name
  const first = $(name).querySelector('input, select, button')
  if (first) first.focus()
}
async function look(event) {
  event.preventDefault()
  say('')
  try {
    const { data } = await ask('GET', 'device/codes/' + encodeURIComponent($('code').value))
    $('code').value = data.user_code
    $('shown').textContent = data.user_code
    $('who').textContent = data.client_name
    $('address').textContent = data.address
    $('since').textContent = new Date(data.created_at).toLocaleString()
    part('decide')
  } catch (error) {
    if (error.status === 401) return leave()
    say(error.status === 404 ? 'No program waits with this code. Check the letters, or ask for a new code.' : error.message)
  }
}
async function decide(decision) {
  say('')
  const [project_id, environment] = $('project').value.split(' ')
  try {
    const choice = decision === 'approve' ? { project_id, environment } : {}
    await ask('POST', 'device/approve', { user_code: $('code').value, decision, ...choice })
    $('result').textContent = decision === 'approve'
      ? 'The program is logged in. You can close this page. To end the log-in, end its session in the console.'
      : 'The program was refused. You can close this page.'
    part('done')
  } catch (error) {
    if (error.status === 401) return leave()
    say(error.message)
  }
}
async function enter() {
  token = ''
  token = (await ask('POST', 'refresh')).session.access_token
}
function leave() {
  const code = $('code').value
  $('leave').href = '/console?back=device' + (code && '&user_code=' + encodeURIComponent(code))
  part('log-in')
}
async function begin() {
  $('code').value = new URLSearchParams(location.search).get('user_code') || ''
  try {
    await enter()
  } catch (error) {
    if (error.status === 401) return leave()
    throw error
  }
  const [me, projects] = await Promise.all([ask('GET', 'me'), ask('GET', 'projects?limit=100')])
  $('me').textContent = me.data.email
  for (const { id, name, role } of projects.data)
    if (role)
      for (const environment of ['test', 'live'])
        $('project').add(new Option(name + ', ' + environment + ' (' + role + ')', id + ' ' + environment))
  $('approve').disabled = $('project').options.length === 0
  part('type')
}
$('type').addEventListener('submit', look)
$('decide').addEventListener('submit', (event) => { event.preventDefault(); decide('approve') })
$('deny').addEventListener('click', () => decide('deny'))
begin().catch((error) => say(error.message))
`
