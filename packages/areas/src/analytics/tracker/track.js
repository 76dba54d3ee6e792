// Guildhall's tracker: <script defer src="https://api.example.com/track.js" data-key="svc_pk_live_…"></script>
// It sets no cookie and keeps nothing in the browser. `guildhall.track(event, properties)` tracks events of your own.
;(() => {
  const script = document.currentScript
  const api = new URL('api/v1/analytics/', script.src)
  const asksNotTo = navigator.doNotTrack === '1' || navigator.globalPrivacyControl === true
  // The server heeds it where the project says so; with data-dnt nothing is sent in the first place.
  const isSilent = asksNotTo && 'dnt' in script.dataset

  const send = (path, body) => {
    if (isSilent) return
    fetch(new URL(path, api), {
      method: 'POST',
      // Sent also when the page is left.
      keepalive: true,
      headers: { authorization: `Bearer ${script.dataset.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...body,
        url: location.href.slice(0, 2048),
        event_id: Date.now().toString(36) + Math.random().toString(36).slice(2),
      }),
    }).catch(() => {})
  }
  const track = (event, properties) => send('track', { event, properties })

  let shown
  let before = document.referrer
  const view = () => {
    const page = location.pathname + location.search
    if (page === shown) return
    shown = page
    send('pageview', {
      referrer: before.slice(0, 2048),
      title: document.title.slice(0, 300),
      screen: `${screen.width}x${screen.height}`,
    })
    before = location.href
  }

  // Pages that change their address by themselves.
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name]
    history[name] = function (...values) {
      change.apply(this, values)
      view()
    }
  }
  addEventListener('popstate', view)

  const follow = ({ target }) => {
    const link = target instanceof Element && target.closest('a[href]')
    if (link && /^https?:$/.test(link.protocol) && link.host !== location.host)
      track('outbound_link', { url: link.href.slice(0, 2048) })
  }
  addEventListener('click', follow, true)
  addEventListener('auxclick', follow, true)

  // Calls that were made before this came: window.guildhall = { q: [[event, properties], …] }.
  const waiting = window.guildhall?.q ?? []
  window.guildhall = { track }
  if (document.prerendering) document.addEventListener('prerenderingchange', view, { once: true })
  else view()
  for (const [event, properties] of waiting) track(event, properties)
})()
