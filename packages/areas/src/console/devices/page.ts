import { createHash } from 'node:crypto'
import type { Api } from '#platform/http/api.ts'
import { pageHeaders, renderPublicPage } from '#platform/http/public-page.ts'
import { Html, html } from '#platform/values/html.ts'
import { SCRIPT } from './page-script.ts'

/** The page on which an operator types the code of a program. It changes nothing by being opened. */
export function devicePage(api: Api): void {
  const page = renderPublicPage({
    site: undefined,
    heading: 'Log a program in',
    text: 'A program on your machine asks to work with a project in your name.',
    form: FORM,
  })
  const script = createHash('sha256').update(SCRIPT).digest('base64')
  const headers = pageHeaders()
  const policy = `${headers['content-security-policy']}; script-src 'sha256-${script}'; connect-src 'self'`
  api.get('/device', { config: { access: 'open' }, schema: { hide: true } }, async (_request, reply) =>
    reply.headers({ ...headers, 'content-security-policy': policy }).send(page),
  )
}

const FORM = html`<p id="said" class="fault" role="alert"></p>
<section id="log-in" hidden><p>Log in to the console in this browser first: <a id="leave" href="/console?back=device">log in</a>. It leads back to this page.</p></section>
<form id="type" hidden>
<p>You are logged in as <b id="me"></b>.</p>
<label>The code that the program shows<input id="code" name="code" required maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false"></label>
<button type="submit">Go on</button>
</form>
<form id="decide" hidden>
<p><b>Only go on if you have just started the program yourself</b>, and it shows the code <b id="shown"></b>. If somebody sent you this page or the code, refuse: they would work with the project in your name.</p>
<p>The program is “<span id="who"></span>”. It asked from the address <span id="address"></span> at <span id="since"></span>.</p>
<label>The project that it may work with<select id="project"></select></label>
<p>It may do what your role lets you do there.</p>
<p><button type="submit" id="approve">Log it in</button> <button type="button" id="deny">Refuse</button></p>
</form>
<section id="done" hidden><p id="result" role="status"></p></section>
<script>${new Html(SCRIPT)}</script>`
