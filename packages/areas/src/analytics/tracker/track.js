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
        url: location.href.slice(0, 2048),
        ...body,
        event_id: Date.now().toString(36) + Math.random().toString(36).slice(2),
      }),
    }).catch(() => {})
  }

  let shown
  let before = document.referrer
  // Sends the page view that waits for its title, if there is one.
  let sendView = () => {}
  const track = (event, properties) => {
    sendView()
    send('track', { event, properties })
  }

  const pageOf = () => location.pathname + location.search
  const view = () => {
    if (pageOf() === shown) return
    shown = pageOf()
    sendView()
    const url = location.href.slice(0, 2048)
    const referrer = before.slice(0, 2048)
    before = location.href
    // A page that changes its address by itself changes its title a moment later.
    const timer = setTimeout(() => sendView(), 50)
    sendView = () => {
      clearTimeout(timer)
      sendView = () => {}
      const title = document.title.slice(0, 300)
      send('pageview', { url, referrer, title, screen: `${screen.width}x${screen.height}` })
    }
  }

  // Pages that change their address by themselves. One that replaces it shows the same page.
  const { pushState, replaceState } = history
  history.pushState = function (...values) {
    pushState.apply(this, values)
    view()
  }
  history.replaceState = function (...values) {
    replaceState.apply(this, values)
    shown = pageOf()
  }
  addEventListener('popstate', view)
  addEventListener('pagehide', () => sendView())
  // A page that comes back out of the browser's cache is viewed again.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    shown = undefined
    view()
  })

  const follow = ({ target }) => {
    const link = target instanceof Element && target.closest('a[href]')
    // Without its query, which can hold secrets of another site.
    if (link && /^https?:$/.test(link.protocol) && link.host !== location.host)
      track('outbound_link', { url: (link.origin + link.pathname).slice(0, 2048) })
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
