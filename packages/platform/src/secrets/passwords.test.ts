import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { ThreadPool } from '../threads/thread-pool.ts'
import { assertUncommon, DUMMY_HASH, PASSWORD_LENGTH, Passwords } from './passwords.ts'

const passwords = new Passwords()
afterAll(() => passwords.close())

test('a password is right, and nothing else is', async () => {
  const hash = await passwords.hash('correct horse battery')
  expect(hash).toMatch(/^\$argon2id\$/)
  expect(await passwords.verify(hash, 'correct horse battery')).toBe(true)
  expect(await passwords.verify(hash, 'correct horse batterY')).toBe(false)
  expect(await passwords.verify(hash, '')).toBe(false)
})

test('two hashes of a password are alike only with the same salt', async () => {
  const salt = Buffer.alloc(16, 7)
  const hash = await passwords.hash('correct horse battery', '', salt)
  expect(await passwords.hash('correct horse battery', '', salt)).toBe(hash)
  expect(await passwords.hash('correct horse batterY', '', salt)).not.toBe(hash)
  expect(await passwords.hash('correct horse battery')).not.toBe(
    await passwords.hash('correct horse battery'),
  )
  expect(await passwords.verify(hash, 'correct horse battery')).toBe(true)
})

test('without a hash every password is wrong', async () => {
  expect(await passwords.verify(undefined, 'correct horse battery')).toBe(false)
})

test('refusing nobody’s password takes what refusing a member’s does', async () => {
  const hash = await passwords.hash('correct horse battery')
  // Both have the same parameters, so that they cost the same.
  const parametersOf = (text: string) => text.split('$').slice(0, 4).join('$')
  expect(parametersOf(DUMMY_HASH)).toBe(parametersOf(hash))
  expect(passwords.isOutdated(hash)).toBe(false)
  expect(passwords.isOutdated(hash.replace('t=1', 't=2'))).toBe(true)
})

test('128 emoji are a password, and are not cut short', async () => {
  const emoji = '🔑'.repeat(PASSWORD_LENGTH.maxLength)
  const hash = await passwords.hash(emoji)
  expect(await passwords.verify(hash, emoji)).toBe(true)
  expect(await passwords.verify(hash, emoji.slice(0, -2))).toBe(false)
})

test('the same characters from another keyboard are the same password', async () => {
  const hash = await passwords.hash('caf\u00e9 noir dix')
  expect(await passwords.verify(hash, 'cafe\u0301 noir dix')).toBe(true)
})

test('common passwords are refused in any case, others are not', () => {
  for (const common of ['1234567890', 'qwertyuiop', 'password123', 'PassWord123'])
    expect(() => assertUncommon(common)).toThrow('too common')
  expect(() => assertUncommon('correct horse battery')).not.toThrow()
})

test('a hash that is none is an error of ours, and the thread goes on', async () => {
  await expect(passwords.verify('no hash', 'correct horse battery')).rejects.toThrow()
  expect(await passwords.verify(undefined, 'correct horse battery')).toBe(false)
})

test('the thread that serves is not held up', async () => {
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  await Promise.all(Array.from({ length: 5 }, () => passwords.hash('correct horse battery')))
  clearInterval(counting)
  expect(turns).toBeGreaterThan(5)
})

test('no more are worked on, or wait, than agreed: the rest is asked to come back', async () => {
  const few = new Passwords({ threads: 2, waiting: 1, prompt: 0 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => few.verify(undefined, 'correct horse battery')),
  )
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(outcomes[4]).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '2' } } })
  // Afterwards there is room again.
  expect(await few.verify(undefined, 'correct horse battery')).toBe(false)
  await few.close()
})

test('threads that are done keep no process alive, and closing ends one at work', async () => {
  const program = (last: string) => `
    import { Passwords } from ${JSON.stringify(new URL('passwords.ts', import.meta.url).href)}
    const passwords = new Passwords()
    console.log(await passwords.verify(await passwords.hash('correct horse battery'), 'correct horse battery'))
    ${last}`
  const outputOf = async (last: string) => {
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(last)])
    return (await run).stdout
  }
  expect(await outputOf('')).toBe('true\n')
  const ended =
    "passwords.hash('another').catch((error) => console.log(error.message)); await passwords.close()"
  expect(await outputOf(ended)).toBe('true\nThe task has been aborted\n')
})

test('a flood of one project leaves another its turn, and its place', async () => {
  const busy = new Passwords({ threads: 1, waiting: 10, prompt: 0 })
  const order: string[] = []
  const hash = (project: string) =>
    busy
      .of(project)
      .hash('correct horse battery')
      .then(
        () => order.push(project),
        (error: { status: number }) => order.push(`${project} ${error.status}`),
      )
  const flood = Array.from({ length: 12 }, () => hash('flood'))
  const other = [hash('other'), hash('other')]
  await Promise.all([...flood, ...other])
  await busy.close()
  // One was at work; then they take turns.
  expect(order.filter((each) => each === 'other')).toHaveLength(2)
  expect(order.filter((each) => !each.includes('503')).slice(0, 5)).toEqual([
    'flood',
    'flood',
    'other',
    'flood',
    'other',
  ])
  expect(order.filter((each) => each === 'flood 503')).toHaveLength(3)
})

test('the first few passwords of a project in a second do not wait in the threads of a storm', async () => {
  const both = new Passwords({ threads: 1, waiting: 100, prompt: 3 })
  const run = vi.spyOn(ThreadPool.prototype, 'run')
  onTestFinished(() => run.mockRestore())
  const order: string[] = []
  const hash = (project: string) =>
    both
      .of(project)
      .hash('correct horse battery')
      .then(() => order.push(project))
  const flood = Array.from({ length: 20 }, () => hash('flood'))
  await Promise.all([...flood, hash('calm')])
  await both.close()
  // The threads of a storm and those of the others work at the same time.
  expect(order.indexOf('calm')).toBeLessThan(10)
  const pools = run.mock.contexts
  expect(new Set(pools).size).toBe(2)
  expect(pools.at(-1)).toBe(pools[0])
  expect(pools.filter((pool) => pool === pools[0]).length).toBeLessThan(10)
})
