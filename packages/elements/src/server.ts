// What a server gets that renders pages and imports an element on the way. A server has no elements: nothing is defined there.

const IN_BROWSERS = 'The elements of Guildhall work in a browser only: call this there'

export const configure = (): void => {}
/** @throws Error always */
export const connect = (): never => {
  throw new Error(IN_BROWSERS)
}

/** Stands in the place of an element, whose class extends what only browsers have. */
class Absent {
  constructor() {
    throw new Error(IN_BROWSERS)
  }
}

export {
  Absent as GuildhallAccount,
  Absent as GuildhallComments,
  Absent as GuildhallFeedback,
  Absent as GuildhallForm,
  Absent as GuildhallLogin,
}
