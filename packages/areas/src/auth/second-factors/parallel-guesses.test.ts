import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { describeWithRedis, startRedis, type TestRedis } from '#testkit/servers/redis.ts'

const PASSWORD = 'correct horse battery'
interface Body {
  mfa_token: string
  session: { access_token: string }
  data: { id: string; secret: string }
}

describeWithRedis('guesses at the same moment, at several processes', () => {
  let redis: TestRedis
  let api: TestApi
  let apis: TestApi[]
  let side: Side
  beforeAll(async () => {
    redis = await startRedis()
    // On a busy machine Redis may need more than 50 ms, and what it does not count is counted in process.
    const environment = { REDIS_URL: redis.url, LIMITS_TIMEOUT_MS: '5000' }
    api = await startApi({ environment })
    apis = [
      api,
      await startApi({ environment, database: api.database }),
      await startApi({ environment, database: api.database }),
    ]
    side = (await makeProjects(api))[0].live
  })
  afterAll(async () => {
    for (const each of apis.slice(1)) await each.close()
    await api.close()
    await redis.stop()
  })

  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

  /** The same request to the processes in turn. */
  const ask = (i: number, path: string, body: object) =>
    (apis[i % apis.length] as TestApi).send<Body>('POST', `/api/v1/auth/${path}`, { key: side.key, body })

  /** How many were looked at; all others must have been asked to wait. */
  async function judgedOf(answers: { status: number }[], wrong: number): Promise<number> {
    const judged = answers.filter(({ status }) => status === wrong).length
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - judged)
    // What Redis did not answer within 50 ms, on a busy machine, was counted by a process alone.
    const counted = await Promise.all(apis.map(({ deps }) => deps.metrics.limitsInProcess.get()))
    const alone = counted.reduce((sum, { values }) => sum + (values[0]?.value ?? 0), 0)
    expect(judged).toBeLessThanOrEqual(10 + alone)
    expect(judged).toBeGreaterThan(0)
    return judged
  }

  test('at second factors: of a hundred over twenty logins ten are looked at', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    const first = await ask(0, 'login', { email, password: PASSWORD })
    const member = side.as(first.body.session.access_token)
    const { id, secret } = (await member.post<Body>('/auth/mfa/totp', { name: 'Phone' })).body.data
    await member.post('/auth/mfa/totp/verify', { factor_id: id, code: codeOf(secret) })
    const tokens: string[] = []
    for (let i = 0; i < 20; i++)
      tokens.push((await ask(i, 'login', { email, password: PASSWORD })).body.mfa_token)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        ask(i, 'mfa/verify', { mfa_token: tokens[i % 20], code: codeOf(secret, 1_000 + i) }),
      ),
    )
    const judged = await judgedOf(answers, 422)
    const { rows } = await api.owner.query<{ tries: number }>(
      "select sum(attempts)::int as tries from one_time_tokens where purpose = 'mfa'",
    )
    expect(rows[0]?.tries).toBe(judged)
  })

  test('at passwords: of forty ten are judged', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(i, 'login', { email, password: `wrong password ${i}` })),
    )
    await judgedOf(answers, 401)
  })
})
