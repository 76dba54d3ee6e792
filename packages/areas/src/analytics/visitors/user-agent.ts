import Bowser from 'bowser'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

/** What a user agent says of itself; null where it does not say it. */
export interface Agent {
  readonly bot: boolean
  readonly device: string | null
  readonly browser: string | null
  readonly os: string | null
}

const NOTHING = { device: null, browser: null, os: null }
/** Longer ones are no browser's, and would only be work. */
const LONGEST = 512
/** User agents kept; most events come from few. */
const CAPACITY = 5_000
const known = new LRUCache<string, Agent>({ max: CAPACITY })

/** Reads a User-Agent header. Bots are known by isbot's list, browsers by bowser's. */
export function readUserAgent(text: string): Agent {
  const key = text.slice(0, LONGEST)
  let agent = known.get(key)
  if (agent === undefined) {
    agent = read(key)
    known.set(key, agent)
  }
  return agent
}

function read(text: string): Agent {
  // Every browser has one.
  if (text === '') return { bot: true, ...NOTHING }
  const bot = isbot(text)
  try {
    const { browser, os, platform } = Bowser.parse(text)
    return { bot, device: platform.type ?? null, browser: browser.name || null, os: os.name || null }
  } catch {
    return { bot, ...NOTHING }
  }
}
