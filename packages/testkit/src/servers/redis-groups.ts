import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { vi } from 'vitest'
import { SOON } from '../soon.ts'
import type { Certificates } from './certificates.ts'
import { freePort } from './free-port.ts'
import { startRedis, type TestRedis } from './redis.ts'

/** A node that can go away and come back to the same place, with what it knew of the cluster. */
export interface TestNode extends TestRedis {
  restart(): Promise<void>
}

/** A Redis Cluster of three nodes without replicas. */
export interface TestCluster {
  /** For REDIS_URL: all nodes. */
  readonly url: string
  readonly nodes: readonly TestNode[]
  stop(): Promise<void>
}

const SLOTS = 16_384
const NODES = 3

/**
 * Where slots of a node that is gone stay without one, the others go on serving theirs.
 * @param certificates with which it speaks TLS alone; whoever calls this trusts them
 */
export async function startCluster(certificates?: Certificates): Promise<TestCluster> {
  // The nodes' own conversation is on a port 10,000 higher where none is named, and there may be none.
  const buses = await Promise.all(Array.from({ length: NODES }, freePort))
  const nodes = await Promise.all(
    buses.map(async (bus) => {
      const port = await freePort()
      const config = `nodes-${randomUUID()}.conf`
      const settings = [
        ...['--cluster-enabled', 'yes', '--cluster-require-full-coverage', 'no'],
        ...['--cluster-config-file', config, '--cluster-node-timeout', '1000'],
        ...['--cluster-port', String(bus)],
        ...(certificates ? ['--tls-cluster', 'yes'] : []),
      ]
      let running = await startRedis({ port, settings, certificates })
      const node: TestNode = {
        url: running.url,
        freeze: () => running.freeze(),
        thaw: () => running.thaw(),
        stop: () => running.stop(),
        restart: async () => {
          running = await startRedis({ port, settings, certificates })
        },
      }
      return node
    }),
  )
  const clients = nodes.map(({ url }) => new Redis(url))
  const share = Math.ceil(SLOTS / NODES)
  for (const [n, client] of clients.entries()) {
    const last = Math.min(SLOTS, (n + 1) * share) - 1
    await client.cluster('ADDSLOTSRANGE', n * share, last)
    const [first] = nodes
    if (n > 0) await client.cluster('MEET', '127.0.0.1', new URL(first?.url ?? '').port, String(buses[0]))
  }
  await vi.waitFor(async () => {
    for (const client of clients) {
      const info = String(await client.cluster('INFO'))
      if (!info.includes('cluster_state:ok') || !info.includes(`cluster_size:${NODES}`)) throw new Error(info)
    }
  }, SOON)
  for (const client of clients) client.disconnect()
  const places = nodes.map(({ url }) => new URL(url).host)
  return {
    url: `${certificates ? 'rediss' : 'redis'}://${places.join(',')}`,
    nodes,
    stop: async () => {
      for (const node of nodes) await node.stop()
    },
  }
}

/** A master with a replica, and a sentinel that makes the replica the master once the first is gone. */
export interface TestSentinel {
  /** For REDIS_URL. */
  readonly url: string
  /** The sentinel's own place. */
  readonly host: string
  readonly master: TestNode
  stop(): Promise<void>
}

const PASSWORD = 'of-the-tests'

/**
 * @param certificates with which all speak TLS alone; whoever calls this trusts them
 * @param votes sentinels that must agree that the master is gone: with 2, this one goes on naming a dead master
 */
export async function startSentinel({
  certificates,
  votes = 1,
}: {
  certificates?: Certificates
  votes?: 1 | 2
} = {}): Promise<TestSentinel> {
  // A replica gets its copy at once.
  const access = ['--requirepass', PASSWORD, '--masterauth', PASSWORD, '--repl-diskless-sync-delay', '0']
  const port = await freePort()
  const begin = () => startRedis({ port, settings: access, certificates })
  let running = await begin()
  const master: TestNode = {
    url: running.url,
    freeze: () => running.freeze(),
    thaw: () => running.thaw(),
    stop: () => running.stop(),
    restart: async () => {
      running = await begin()
    },
  }
  const replica = await startRedis({
    settings: [...access, '--replicaof', `127.0.0.1 ${port}`],
    certificates,
  })
  const sentinel = await startRedis({
    certificates,
    sentinel: [
      `sentinel monitor guildhall 127.0.0.1 ${port} ${votes}`,
      `sentinel auth-pass guildhall ${PASSWORD}`,
      'sentinel down-after-milliseconds guildhall 1000',
      'sentinel failover-timeout guildhall 3000',
    ].join('\n'),
  })
  const watching = new Redis(sentinel.url)
  await vi.waitFor(async () => {
    const replicas = (await watching.call('SENTINEL', 'REPLICAS', 'guildhall')) as string[][]
    const state = replicas[0] ?? []
    if (state[state.indexOf('master-link-status') + 1] !== 'ok')
      throw new Error('the replica is not there yet')
  }, SOON)
  watching.disconnect()
  const { host } = new URL(sentinel.url)
  return {
    url: `${certificates ? 'rediss' : 'redis'}+sentinel://:${PASSWORD}@${host}/guildhall`,
    host,
    master,
    stop: async () => {
      for (const each of [sentinel, replica, master]) await each.stop()
    },
  }
}
