/** A Redis Cluster of three masters with a replica each, by TLS and with a password, for plain Node.js. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type Certificates, tlsSettings } from '#testkit/servers/certificates.ts'
import { openRedis, type Server } from '../../faults/servers.ts'
import { freePort } from '../../ports.ts'

/** Nodes that can go away and come back. */
export interface RedisCluster extends Server {
  /** The nodes that are masters now, the one that serves a key first. */
  masters(key: string): Promise<Server[]>
  /** Waits until every slot has a master, and as many masters have a replica as before. */
  untilWhole(): Promise<void>
}

const MASTERS = 3
const NODES = 2 * MASTERS
const SLOTS = 16_384
const PASSWORD = 'of-the-cluster'
const WHOLE_MS = 60_000

interface Node {
  readonly server: Server
  readonly port: string
  readonly bus: string
}

export async function openRedisCluster(folder: string, certificates: Certificates): Promise<RedisCluster> {
  const nodes = await Promise.all(Array.from({ length: NODES }, (_, n) => openNode(folder, n, certificates)))
  const ask = async <T>({ port }: Node, work: (client: Redis) => Promise<T>): Promise<T> => {
    const tls = { ca: certificates.authority }
    const retryStrategy = () => 100
    const place = { host: '127.0.0.1', port: Number(port), password: PASSWORD }
    const client = new Redis({ ...place, tls, retryStrategy, maxRetriesPerRequest: 50 })
    client.on('error', () => undefined)
    return work(client).finally(() => client.disconnect())
  }
  const [first] = nodes as [Node, ...Node[]]
  const masters = nodes.slice(0, MASTERS)
  const share = Math.ceil(SLOTS / MASTERS)
  for (const [n, node] of nodes.entries())
    await ask(node, async (client) => {
      if (n < MASTERS) await client.cluster('ADDSLOTSRANGE', n * share, Math.min(SLOTS, (n + 1) * share) - 1)
      if (n > 0) await client.call('CLUSTER', 'MEET', '127.0.0.1', first.port, first.bus)
    })
  await until('the nodes know each other', () =>
    ask(first, async (client) => String(await client.cluster('INFO')).includes(`known_nodes:${NODES}`)),
  )
  for (const [n, node] of nodes.slice(MASTERS).entries()) {
    const id = await ask(masters[n] as Node, (client) => client.call('CLUSTER', 'MYID') as Promise<string>)
    await until('a replica has its master', () =>
      ask(node, (client) =>
        client.call('CLUSTER', 'REPLICATE', id).then(
          () => true,
          () => false,
        ),
      ),
    )
  }
  const alive = () => nodes.filter(({ server }) => server.isRunning())
  const untilWhole = () =>
    until('the cluster is whole', async () => {
      const states = await Promise.all(alive().map((node) => ask(node, stateOf)))
      const owned = states.filter(({ isMaster, isOk }) => isMaster && isOk)
      return owned.length === MASTERS && states.every(({ isLinked, isOk }) => isLinked && isOk)
    })
  await untilWhole()
  return {
    ...first.server,
    url: `rediss://:${PASSWORD}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    masters: async (key) => {
      const running = alive()
      const [slot, layout] = await ask(running[0] as Node, async (client) => [
        await client.cluster('KEYSLOT', key),
        await client.cluster('SLOTS'),
      ])
      const serves = ([from, to]: readonly [number, number, ...unknown[]]) => slot >= from && slot <= to
      const sorted = layout.toSorted((a, b) => Number(serves(b)) - Number(serves(a)))
      const ports = [...new Set(sorted.map(([, , master]) => String(master?.[1])))]
      return ports.flatMap((port) => running.filter((node) => node.port === port).map(({ server }) => server))
    },
    untilWhole,
    stop: async () => {
      await Promise.all(nodes.map(({ server }) => server.stop()))
    },
  }
}

async function openNode(folder: string, n: number, certificates: Certificates): Promise<Node> {
  const bus = String(await freePort())
  const server = await openRedis(folder, {
    name: `redis-${n}`,
    settings: (port) => [
      ...tlsSettings(port, certificates),
      ...['--tls-cluster', 'yes', '--requirepass', PASSWORD, '--masterauth', PASSWORD],
      ...['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', '--cluster-port', bus],
      ...['--cluster-node-timeout', '1500', '--cluster-require-full-coverage', 'no'],
      ...['--repl-diskless-sync-delay', '0'],
    ],
  })
  if (server === undefined) throw new Error('this machine has no redis-server')
  return { server, port: new URL(server.url).port, bus }
}

/** What a node knows of itself and the cluster. */
async function stateOf(client: Redis) {
  const [info, role] = [String(await client.cluster('INFO')), await client.info('replication')]
  const isMaster = role.includes('role:master')
  return {
    isMaster,
    isOk: info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`),
    isLinked: isMaster || role.includes('master_link_status:up'),
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WHOLE_MS
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`this does not become true: ${what}`)
    await sleep(100)
  }
}
