/** What a site's own script can do with the elements. */
document.addEventListener('guildhall:login', ({ detail }) => {
  console.info(`${detail.member.email} has logged in`)
})

// A language that the elements do not bring: the site gives its own texts.
if (document.documentElement.lang === 'ar') {
  const { arabic } = await import('./arabic.js')
  for (const [name, texts] of Object.entries(arabic))
    for (const element of document.querySelectorAll(name)) element.texts = texts
}
