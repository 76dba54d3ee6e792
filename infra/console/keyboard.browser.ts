import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { faultsOfTab } from './keyboard.ts'

// What goes through every screen by Tab finds what is wrong with a page.

const STYLE = `<style>
  button, input { display: block; outline: none }
  :is(button, input, a):focus-visible { outline: 2px solid black }
  .same { outline: none !important }
</style>`

const GOOD = `<main><h1 tabindex="-1">Boats</h1><p style="width: 8em">Boats and <a href="#">ropes of all kinds</a></p><button>One</button><input aria-label="Two" type="date">
  <button disabled>Three</button><label><input type="radio" name="a">Four</label><label><input type="radio" name="a">Five</label>
  <div role="toolbar" aria-label="Six"><button>Six</button><button tabindex="-1">Seven</button></div></main><button>Behind</button>`

describeWithBrowser('the walk by Tab', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await startBrowser()
    page = await browser.newPage()
  })
  afterAll(() => browser.close())

  test.each([
    ['nothing on a page that is as it should be', GOOD, []],
    [
      'a control that Tab does not reach',
      '<main><button>One</button><button tabindex="-1">Two</button></main>',
      ['Tab does not reach button “Two”'],
    ],
    [
      'a group without any stop',
      '<main><button>One</button><div role="toolbar" aria-label="Two"><button tabindex="-1">Three</button></div></main>',
      ['Tab reaches nothing in div “Two”'],
    ],
    [
      'a focus that is not seen',
      '<main><button class="same">One</button><button>Two</button></main>',
      ['button “One” looks the same with and without the focus'],
    ],
    [
      'a control below something else',
      '<main><button>One</button></main><div style="position: fixed; inset: 0; background: white"></div>',
      ['button “One” has the focus and cannot be seen'],
    ],
    [
      'an order that is not that of reading',
      '<main style="display: flex; flex-direction: column-reverse"><button>One</button><button>Two</button></main>',
      ['Tab goes back up from button “One” to button “Two”'],
    ],
    [
      'a control with a place of its own in the order',
      '<main><button tabindex="3">One</button></main>',
      ['button “One” has a place of its own in the order of Tab'],
    ],
    [
      'a control that keeps the focus',
      '<main><button onkeydown="event.preventDefault()">One</button><button>Two</button></main>',
      ['Tab does not leave button “One”', 'Tab does not reach button “Two”'],
    ],
    [
      'controls that change all the time',
      `<main><button>One</button><p></p></main>
       <script>document.addEventListener('focusin', () => document.querySelector('p').replaceChildren(document.createElement('input')))</script>`,
      ['its controls change all the time'],
    ],
  ])('finds %s', async (_, html, faults) => {
    await page.setContent(`<!doctype html><title>Boats</title>${STYLE}${html}`)
    expect(await faultsOfTab(page)).toEqual(faults)
  })
})
