// Guildhall's script of analytics: <script defer src="https://api.example.com/t.js" data-key="svc_pk_live_…"></script>
// It sets no cookie and keeps nothing in the browser.
{
  const script = document.currentScript
  // Calls from before the script came: window.guildhall = { q: [[event, properties], …], token }.
  const early = window.guildhall ?? {}

  // Beside the script, also where a site serves both below a path of its own.
  const address = new URL('t/e', script.src)

  // How many of the queue go in one request. Browsers let about 64 kB go on behind a page that is left.
  const batchSize = (queue) => {
    const [first] = queue
    let size = 0
    const end = queue.findIndex((each, i) => {
      size += JSON.stringify(each.item).length
      return i && (size > 15_000 || each.token !== first.token || first.isAlone)
    })
    return end < 0 ? queue.length : end
  }

  // The title of a page view. Pages that change their address by themselves change it later: it is taken when it stays.
  const makeTitle = () => {
    let isFirst = true
    // The view that waits, the title by now, and until when that may change.
    let view
    let title
    let settled
    let latest
    return {
      await(item) {
        view = item
        title = document.title
        settled = Date.now() + (title && isFirst ? 0 : 1_000)
        latest = settled + 1_000
        isFirst = false
      },
      isComing() {
        if (title !== document.title) settled = Math.min(Date.now() + 200, latest)
        title = document.title
        return view && Date.now() < settled
      },
      take() {
        if (view) view.title = document.title.slice(0, 300)
        view = undefined
      },
    }
  }

  // Sends events: soon, many at a time, and again where they did not arrive.
  const makeQueue = () => {
    // Events that wait, each with the token of its member.
    let queue = []
    let { token } = early
    let failures = 0
    let underWay = 0
    let timer
    const title = makeTitle()
    const flush = (isLeaving) => {
      clearTimeout(timer)
      timer = undefined
      if (isLeaving !== true && title.isComing()) {
        timer = setTimeout(flush, 50)
        return
      }
      title.take()
      while (queue.length && (isLeaving === true || !underWay)) send(isLeaving)
    }
    const add = (item) => {
      item.timestamp = new Date().toISOString()
      item.event_id = Date.now().toString(36) + Math.random().toString(36).slice(2)
      queue.push({ token, item })
      // The newest are kept where nothing can be sent for long.
      queue = queue.slice(-100)
      timer ||= setTimeout(flush, 50)
    }
    const retry = (batch, wait) => {
      queue.unshift(...batch)
      clearTimeout(timer)
      timer = setTimeout(flush, Math.min(wait, 60_000))
    }
    const finish = (batch, answer) => {
      underWay--
      const { status = 0 } = answer ?? {}
      const [first, second] = batch
      if (!status || status === 429 || status > 499) {
        const wait = answer?.headers.get('retry-after') * 1_000 || 1_000 * 2 ** failures
        failures = Math.min(failures + 1, 6)
        return retry(batch, wait)
      }
      failures = 0
      if (status === 401 && first.token) {
        // Of a token that has ended, events are still those of a visitor.
        if (token === first.token) token = undefined
        retry(
          batch.map(({ item }) => ({ item })),
          0,
        )
      } else if (status === 422 && second) {
        // One that does not fit is refused without the others.
        retry(
          batch.map((each) => ({ ...each, isAlone: true })),
          0,
        )
      } else flush()
    }
    const send = (isLeaving) => {
      const batch = queue.splice(0, batchSize(queue))
      const by = batch[0].token
      // By the time at sending the server corrects a clock that is wrong.
      const content = { events: batch.map(({ item }) => item), sent_at: new Date().toISOString() }
      const body = JSON.stringify(by ? content : { key: script.dataset.key, ...content })
      // Filter lists block beacons to other sites: they are for browsers whose fetch ends with the page.
      if (isLeaving && !by && !('keepalive' in Request.prototype)) return navigator.sendBeacon(address, body)
      const headers = by ? { authorization: `Bearer ${by}`, 'content-type': 'application/json' } : {}
      underWay++
      fetch(address, { method: 'POST', keepalive: true, credentials: 'omit', headers, body }).then(
        (answer) => finish(batch, answer),
        () => finish(batch),
      )
    }
    return {
      add,
      flush,
      addView(item) {
        title.take()
        add(item)
        title.await(item)
      },
      // From now on, events are those of the member of this token; without one, of a visitor again.
      identify(value) {
        token = value || undefined
      },
    }
  }

  // Milliseconds for which the page is seen.
  const makeWatch = () => {
    let seen = 0
    let since
    return (reset) => {
      const now = performance.now()
      if (since !== undefined) seen += now - since
      since = document.visibilityState === 'visible' ? now : undefined
      const total = seen
      if (reset || seen >= 10_000) seen = 0
      return total
    }
  }

  // A hash that is a path is one of the site: /app#/settings is /app/settings.
  const pageOf = () => {
    const { origin, pathname, search, hash } = location
    const route = /^#!?(\/[^?]*)/.exec(hash)?.[1]
    return (origin + (route ? pathname.replace(/\/$/, '') + route : pathname) + search).slice(0, 2_048)
  }

  const pathOf = (url) => url.split('?')[0]

  const start = ({ add, addView, flush, identify }) => {
    let shown
    let before = document.referrer.slice(0, 2_048)
    const track = (event, properties) => add({ event, url: pageOf(), properties })
    const watch = makeWatch()
    const engage = (reset) => {
      const ms = watch(reset)
      if (ms >= 10_000)
        add({ event: 'engagement', url: shown, properties: { seconds: Math.round(ms / 1_000) } })
    }
    const view = () => {
      const url = pageOf()
      if (url === shown) return
      engage(true)
      addView({ type: 'pageview', url, referrer: before, screen: `${screen.width}x${screen.height}` })
      before = shown = url
    }
    const leave = () => {
      engage()
      flush(true)
    }

    const { pushState, replaceState } = history
    history.pushState = function (...values) {
      pushState.apply(this, values)
      view()
    }
    // A page that replaces its query is still the same page.
    history.replaceState = function (...values) {
      replaceState.apply(this, values)
      if (!shown) return
      const url = pageOf()
      if (pathOf(url) !== pathOf(shown)) view()
      shown = url
    }
    addEventListener('popstate', view)
    addEventListener('hashchange', view)
    addEventListener('pagehide', leave)
    addEventListener('visibilitychange', () => (document.hidden ? leave() : watch()))
    addEventListener('online', flush)
    // A page that comes back out of the browser's cache is viewed again.
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      shown = undefined
      view()
    })
    const follow = ({ target, button }) => {
      const link = button < 2 && target instanceof Element && target.closest('a[href]')
      // Without its query, which can hold secrets of another site.
      if (link && /^https?:$/.test(link.protocol) && link.host !== location.host)
        track('outbound_link', { url: (link.origin + link.pathname).slice(0, 2_048) })
    }
    addEventListener('click', follow, true)
    addEventListener('auxclick', follow, true)

    window.guildhall = { track, identify }
    if (document.prerendering) document.addEventListener('prerenderingchange', view, { once: true })
    else view()
    for (const [event, properties] of early.q ?? []) track(event, properties)
  }

  // The server heeds it where the project says so; with data-dnt nothing is sent in the first place.
  const asksNotTo = navigator.doNotTrack === '1' || navigator.globalPrivacyControl === true
  if (asksNotTo && 'dnt' in script.dataset) window.guildhall = { track() {}, identify() {} }
  else start(makeQueue())
}
