/** Guildhall on a Redis Cluster whose nodes are lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { redisNamespace } from '#platform/redis/redis-namespace.ts'
import { makeCertificates } from '#testkit/servers/certificates.ts'
import { openRig, type Rig } from '../faults/rig.ts'
import type { Fault } from '../faults/scenario.ts'
import { findRedis } from '../faults/servers.ts'
import { judgeLimits } from './limits.ts'
import type { Report } from './report.ts'
import { openRedisCluster, type RedisCluster } from './servers/redis-cluster.ts'
import type { Try } from './try.ts'

export async function judgeRedis(report: Report, { pace, settings, folder, quick }: Try): Promise<void> {
  if ((await findRedis()) === undefined)
    return report.notRun('Redis Cluster', 'this machine has no redis-server')
  report.begin('Redis Cluster of three masters and three replicas, by TLS and with a password')
  const certificates = await makeCertificates(folder)
  let cluster: RedisCluster | undefined
  const rig = await openRig({
    backend: 'redis',
    // On a busy machine Redis may answer late, and limits would be counted by the processes.
    settings: {
      ...settings,
      NODE_EXTRA_CA_CERTS: certificates.authorityFile,
      LIMITS_TIMEOUT_MS: '1000',
    },
    redis: async (place) => {
      cluster = await openRedisCluster(place, certificates)
      return cluster
    },
  })
  try {
    if (cluster === undefined) throw new Error('there is no cluster')
    await judgeLimits(report, rig, cluster, quick ? 2_000 : 8_000)
    report.heading()
    for (const fault of faultsOfCluster(cluster)) await report.play(rig, fault, pace)
  } finally {
    await rig.close()
  }
}

/** A key of the lane of webhooks, whose node is the one to lose. */
function keyOfDeliveries({ environment: { SECRET_KEY = '', DATABASE_URL = '' } }: Rig): string {
  return `{${redisNamespace({ SECRET_KEY, DATABASE_URL })}-webhooks}`
}

function faultsOfCluster(cluster: RedisCluster): Fault[] {
  const lose =
    (count: number) =>
    async (rig: Rig, { outage }: { outage: number }) => {
      const lost = (await cluster.masters(keyOfDeliveries(rig))).slice(0, count)
      await Promise.all(lost.map((node) => node.kill('SIGKILL')))
      await sleep(outage)
      for (const node of lost) await node.restart()
    }
  return [
    { name: 'on a cluster everything is delivered', inject: async () => undefined },
    { name: 'the node of deliveries is lost', inject: lose(1), mend: () => cluster.untilWhole() },
    { name: 'the cluster loses its majority', inject: lose(2), mend: () => cluster.untilWhole() },
  ]
}
