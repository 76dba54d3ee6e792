import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { VERSION } from '#platform/version.ts'

type Labels = Readonly<Record<string, string>>
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Container {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly securityContext: object
  readonly resources: object
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly startupProbe?: Probe
}
interface Pod {
  readonly securityContext: object
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly object[]
  readonly containers: readonly Container[]
}
interface Manifest {
  readonly file: string
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly replicas?: number
    readonly selector?: Labels & { readonly matchLabels?: Labels }
    readonly podSelector?: { readonly matchLabels: Labels }
    readonly template?: { readonly metadata?: { readonly labels: Labels }; readonly spec: Pod }
    readonly scaleTargetRef?: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    readonly minReplicas?: number
    readonly minAvailable?: number
    readonly ports?: readonly { readonly targetPort: string }[]
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[]
    readonly podMetricsEndpoints?: readonly { readonly port: string }[]
  }
}

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
const kustomization = parse(await read('kustomization.yaml'))
const files = (await readdir(import.meta.dirname)).filter(
  (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
)
const manifests: Manifest[] = []
for (const file of files) {
  for (const document of parseAllDocuments(await read(file), { uniqueKeys: true })) {
    expect([file, document.errors]).toEqual([file, []])
    manifests.push({ file, ...document.toJS() })
  }
}

const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind)
const deployments = ofKind('Deployment')
const workloads = [...deployments, ...ofKind('Job')]
const podOf = ({ spec }: Manifest): Pod => spec.template?.spec ?? { securityContext: {}, containers: [] }
const containersOf = (each: Manifest) => [...(podOf(each).initContainers ?? []), ...podOf(each).containers]
const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`
const portsOf = (each: Manifest) =>
  podOf(each).containers.flatMap(({ ports = [] }) => ports.map((p) => p.name))

/** What a manifest says of pods by their labels. */
const labelsIn = ({ kind, spec }: Manifest): Labels =>
  (kind === 'Service' ? spec.selector : (spec.podSelector ?? spec.selector)?.matchLabels) ?? {}
/** The workloads whose pods have all of these labels. */
const chosenBy = (each: Manifest): string[] => {
  const wanted = Object.entries(labelsIn(each))
  const hasAll = (labels: Labels) => wanted.every(([name, value]) => labels[name] === value)
  return wanted.length === 0
    ? []
    : workloads
        .filter(({ spec }) => hasAll(spec.template?.metadata?.labels ?? {}))
        .map(({ metadata }) => metadata.name)
}

test('kustomize applies every file but those that need more than a cluster has, which say so', () => {
  const optional = ['autoscaling.yaml', 'pod-monitors.yaml']
  expect([...kustomization.resources, ...optional].sort()).toEqual(files.sort())
  const names = manifests.map(nameOf)
  expect(names).toEqual([...new Set(names)])
  const versions: Readonly<Record<string, string>> = {
    Deployment: 'apps/v1',
    Job: 'batch/v1',
    Service: 'v1',
    PodDisruptionBudget: 'policy/v1',
    NetworkPolicy: 'networking.k8s.io/v1',
    HorizontalPodAutoscaler: 'autoscaling/v2',
    PodMonitor: 'monitoring.coreos.com/v1',
  }
  for (const each of manifests) expect([each.kind, each.apiVersion]).toEqual([each.kind, versions[each.kind]])
})

test('each image is the one of this version', () => {
  expect(kustomization.images).toEqual([{ name: 'guildhall', newTag: VERSION }])
  for (const each of workloads)
    for (const { image } of containersOf(each))
      expect([nameOf(each), image]).toEqual([nameOf(each), 'guildhall'])
})

test('no container runs as root, writes to its image or takes memory without a limit', () => {
  expect(workloads).toHaveLength(3)
  for (const each of workloads) {
    expect([nameOf(each), podOf(each).securityContext]).toEqual([
      nameOf(each),
      { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    ])
    for (const { name, securityContext, resources } of containersOf(each)) {
      expect([name, securityContext]).toEqual([
        name,
        {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      ])
      expect([name, resources]).toMatchObject([
        name,
        {
          requests: { cpu: expect.stringMatching(/^\d+m$/), memory: expect.stringMatching(/^\d+Mi$/) },
          limits: { memory: expect.stringMatching(/^\d+Mi$/) },
        },
      ])
    }
  }
})

test('workers have room for exports and imports of whole projects, as nothing else of theirs is written to', () => {
  const [worker] = deployments.filter(({ metadata }) => metadata.name === 'guildhall-worker').map(podOf)
  expect(worker?.volumes).toEqual([{ name: 'tmp', emptyDir: {} }])
  expect(worker?.containers.map(({ volumeMounts }) => volumeMounts)).toEqual([
    [{ name: 'tmp', mountPath: '/tmp' }],
  ])
})

test('what goes on running is asked whether it is healthy and ready, at a port that it has', () => {
  for (const each of deployments) {
    for (const { name, ports, env = [], readinessProbe, livenessProbe, startupProbe } of podOf(each)
      .containers) {
      expect([name, livenessProbe?.httpGet.path]).toEqual([name, '/healthz'])
      expect([name, readinessProbe?.httpGet.path]).toEqual([name, name === 'api' ? '/readyz' : '/healthz'])
      for (const probe of [readinessProbe, livenessProbe, startupProbe])
        if (probe !== undefined) expect(portsOf(each)).toContain(probe.httpGet.port)
      // The API listens at the port of the image, a worker where it is told to.
      expect([name, ports?.map(({ containerPort }) => containerPort)]).toEqual([name, [3000]])
      if (name !== 'api') expect(env).toContainEqual({ name: 'WORKER_PORT', value: '3000' })
    }
  }
})

test('each selector finds the pods of one workload, and each port that is named is there', () => {
  const selecting = manifests.filter(({ kind }) =>
    ['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy', 'PodMonitor'].includes(kind),
  )
  expect(selecting).toHaveLength(9)
  for (const each of selecting) {
    const { metadata, spec } = each
    expect([nameOf(each), chosenBy(each)]).toEqual([nameOf(each), [metadata.name]])
    const workload = deployments.find(({ metadata: { name } }) => name === metadata.name)
    const ports = [
      ...(each.kind === 'Service' ? (spec.ports ?? []).map(({ targetPort }) => targetPort) : []),
      ...(spec.ingress ?? []).flatMap((rule) => rule.ports.map(({ port }) => port)),
      ...(spec.podMetricsEndpoints ?? []).map(({ port }) => port),
    ]
    for (const port of ports) expect(workload && portsOf(workload)).toContain(port)
  }
})

test('each deployment is guarded from the network, keeps a pod while nodes are emptied, and has one that may go', () => {
  for (const { metadata, spec } of deployments) {
    const of = (kind: string) => ofKind(kind).filter((each) => each.metadata.name === metadata.name)
    expect(of('NetworkPolicy')).toHaveLength(1)
    expect(of('PodMonitor')).toHaveLength(1)
    const [budget] = of('PodDisruptionBudget')
    const [autoscaler] = of('HorizontalPodAutoscaler')
    const kept = budget?.spec.minAvailable ?? 0
    expect(kept).toBeGreaterThanOrEqual(1)
    expect(spec.replicas).toBeGreaterThan(kept)
    expect(autoscaler?.spec).toMatchObject({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name },
    })
    expect(autoscaler?.spec.minReplicas).toBeGreaterThan(kept)
  }
})

test('nothing starts before the migrations are done, and only their job has the login of the owner', () => {
  const cli = ['node', 'apps/cli/src/main.ts', 'migrate']
  for (const each of deployments) {
    const commands = podOf(each).initContainers?.map(({ command }) => command)
    expect([nameOf(each), commands]).toEqual([nameOf(each), [[...cli, '--wait', '900']]])
  }
  const [job] = ofKind('Job')
  expect(job && podOf(job).containers.map(({ command }) => command)).toEqual([cli])
  const withOwner = workloads.filter((each) => JSON.stringify(each).includes('guildhall-owner'))
  expect(withOwner.map(({ kind }) => kind)).toEqual(['Job'])
})
