import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { render } from './render.ts'
import { sanitize } from './sanitize.ts'

/** Cases of OWASP's XSS filter evasion cheat sheet; each would call `alert`. */
const CASES = [
  '<SCRIPT SRC=https://example.com/xss.js></SCRIPT>',
  "javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/\"`/+/onmouseover=1/+/[*/[]/+alert(1)//'>",
  '<a onmouseover="alert(1)">x</a>',
  '<a onmouseover=alert(1)>x</a>',
  '<IMG """><SCRIPT>alert("XSS")</SCRIPT>"\\>',
  '<IMG SRC=javascript:alert(String.fromCharCode(88,83,83))>',
  '<IMG SRC=# onmouseover="alert(1)">',
  '<IMG SRC= onmouseover="alert(1)">',
  '<IMG onmouseover="alert(1)">',
  '<IMG SRC=/ onerror="alert(1)"></img>',
  '<img src=x onerror="&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058alert(1)">',
  '<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>',
  '<IMG SRC="jav\tascript:alert(1);">',
  '<IMG SRC="jav&#x0A;ascript:alert(1);">',
  '<IMG SRC=" &#14; javascript:alert(1);">',
  '<SCRIPT/XSS SRC="https://example.com/xss.js"></SCRIPT>',
  '<BODY onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert(1)>',
  '<<SCRIPT>alert(1);//\\<</SCRIPT>',
  '<SCRIPT SRC=https://example.com/xss.js?< B >',
  '<IMG SRC="`(\'XSS\')"`',
  '</TITLE><SCRIPT>alert(1);</SCRIPT>',
  '<INPUT TYPE="IMAGE" SRC="javascript:alert(1);">',
  '<BODY BACKGROUND="javascript:alert(1)">',
  '<svg/onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<BGSOUND SRC="javascript:alert(1);">',
  '<LINK REL="stylesheet" HREF="javascript:alert(1);">',
  '<STYLE>@import"javascript:alert(1)";</STYLE>',
  '<META HTTP-EQUIV="refresh" CONTENT="0;url=javascript:alert(1);">',
  '<IFRAME SRC="javascript:alert(1);"></IFRAME>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<FRAMESET><FRAME SRC="javascript:alert(1);"></FRAMESET>',
  '<TABLE BACKGROUND="javascript:alert(1)"><TD BACKGROUND="javascript:alert(1)">x</TABLE>',
  '<DIV STYLE="background-image: url(javascript:alert(1))">x</DIV>',
  '<OBJECT DATA="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="></OBJECT>',
  '<EMBED SRC="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"></EMBED>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)></video>',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)></select>',
  '<form><button formaction=javascript:alert(1)>x</button></form>',
  '<a href="java&#x73;cript:alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="vbscript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '[x](javascript:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x]( javascript:alert(1) "title")',
  '[x](javascript&colon;alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '![x](javascript:alert(1))',
  '![x"onerror="alert(1)](https://example.com/x.png)',
  '![x](https://example.com/x.png"onerror="alert(1))',
  '[x](https://example.com/"onmouseover="alert(1))',
  '<javascript:alert(1)>',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '```"><script>alert(1)</script>\nx\n```',
  '[@x"onmouseover=alert(1)](mem_01jcq3k8f7e8qtk4m3hbw7rn2d)',
]

const PIECES = [
  '<',
  '>',
  '"',
  "'",
  '`',
  '[',
  ']',
  '(',
  ')',
  '!',
  '\n',
  '> ',
  '- ',
  '*',
  '<script>',
  '</script>',
]
const MORE = [
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  'javascript:alert(1)',
  '<!--',
  '-->',
  '&#106;',
]

/** Markup nested and torn at random, the same in every run. */
function* generated(count: number): Generator<string> {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const all = [...PIECES, ...MORE]
  for (let i = 0; i < count; i++)
    yield Array.from({ length: 3 + next(20) }, () => all[next(all.length)]).join('')
}

describeWithBrowser('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  test('no script runs, whatever was written', async () => {
    const page = await browser.newPage()
    const begun: string[] = []
    await page.exposeFunction('alert', () => begun.push('alert'))
    page.on('dialog', (dialog) => {
      begun.push(dialog.message())
      return dialog.dismiss()
    })
    // What a page asks for elsewhere does not come.
    await page.route(/^https?:/, (route) => route.abort())
    const texts = [...CASES, ...generated(300)]
    const outputs = texts.flatMap((text) => {
      const rendered = render({ typed: text, keepsLabels: true })
      return [sanitize(text), typeof rendered === 'string' ? '' : rendered.html]
    })
    await page.setContent(`<!doctype html><body>${outputs.map((html) => `<div>${html}</div>`).join('\n')}`)
    const unsafe = await page.evaluate(() => {
      const faults: string[] = []
      for (const element of document.querySelectorAll('body *')) {
        for (const { name, value } of element.attributes) {
          const isScript = /^\s*(javascript|vbscript|data):/i.test(value.replaceAll(/[\p{Cc} ]/gu, ''))
          if (
            name.startsWith('on') ||
            name === 'style' ||
            name === 'srcdoc' ||
            (/^(href|src)$/.test(name) && isScript)
          )
            faults.push(element.outerHTML)
        }
        if (/^(script|style|iframe|object|embed|svg|math|form|input|link|meta|base)$/i.test(element.tagName))
          faults.push(element.outerHTML)
        element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
        if (element instanceof HTMLElement) element.focus()
      }
      return faults
    })
    await page.waitForTimeout(100)
    expect(unsafe).toEqual([])
    expect(begun).toEqual([])
  })
})
