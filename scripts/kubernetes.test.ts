/** The manifests follow the schemas of Kubernetes, and name what there is. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseEnv } from '@/lib/config/env';
import { createMetrics } from '@/lib/ops/metrics/metrics';
import { readVersions } from '@/lib/base/versions';
import { listTypeFaults } from '@/testing/deployment/type-faults';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}
type Models = Record<string, new (manifest: Manifest) => { validate: () => void }>;

const FOLDER = 'deploy/kubernetes';
const readManifests = (): Manifest[] =>
  readdirSync(FOLDER).flatMap((name) =>
    parseAllDocuments(readFileSync(`${FOLDER}/${name}`, 'utf8')).map((each) => each.toJS() as Manifest),
  );

/** Unknown and missing fields, by the types that kubernetes-models makes of the schemas: its validation ignores unknown ones. */
const listFieldFaults = (manifests: Manifest[]): string[] =>
  listTypeFaults(
    manifests.map((value, i) => ({
      imports: `import type { I${value.kind} as Kind${i} } from 'kubernetes-models/${value.apiVersion}';`,
      type: `Kind${i}`,
      value,
    })),
  );

/** Values of a wrong type or form. */
const listValueFaults = async (manifests: Manifest[]): Promise<string[]> => {
  const faults: string[] = [];
  for (const manifest of manifests) {
    const models = `kubernetes-models/${manifest.apiVersion}`;
    const { [manifest.kind]: Model } = (await import(/* @vite-ignore */ models)) as Models;
    try {
      new Model!(manifest).validate();
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  return faults;
};

const find = <T>(kind: string): T => readManifests().find((each) => each.kind === kind) as T;
interface Workload {
  metadata: { name: string };
  spec: {
    selector: { matchLabels: object };
    template: { metadata: { labels: object }; spec: Pod };
  };
}
interface Pod {
  securityContext: object;
  containers: [Container];
  volumes: Record<string, object | string>[];
  terminationGracePeriodSeconds: number;
}
type Probe = 'startupProbe' | 'livenessProbe' | 'readinessProbe';
interface Container extends Record<Probe, { httpGet: { path: string; port: string } }> {
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  securityContext: object;
  lifecycle: { preStop: { exec: { command: [string, string] } } };
  volumeMounts: { name: string; mountPath: string }[];
}

it('follows the schemas of Kubernetes, which a wrong field, a missing one and a wrong value do not', async () => {
  const manifests = readManifests();
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    'Deployment',
    'HorizontalPodAutoscaler',
    'PersistentVolumeClaim',
    'PodDisruptionBudget',
    'Service',
  ]);
  expect(listFieldFaults(manifests)).toEqual([]);
  expect(await listValueFaults(manifests)).toEqual([]);
  const text = JSON.stringify(find('Deployment'));
  const change = (from: string, to: string) => {
    expect(text).toContain(from);
    return JSON.parse(text.replace(from, to)) as Manifest;
  };
  const faults = listFieldFaults([change('"httpGet"', '"httpGett"'), change('"selector"', '"selectors"')]);
  expect(faults).toEqual([expect.stringContaining('httpGett'), expect.stringContaining('selectors')]);
  expect(await listValueFaults([change('"periodSeconds":2', '"periodSeconds":"2"')])).toHaveLength(1);
}, 60_000);

it('contains no secret and no setting of one installation', () => {
  for (const name of readdirSync(FOLDER))
    expect(readFileSync(`${FOLDER}/${name}`, 'utf8')).not.toMatch(/^kind: (?:Secret|ConfigMap)$/m);
  const { env } = find<Workload>('Deployment').spec.template.spec.containers[0];
  const secrets = env.filter(({ name }) => name.endsWith('_FILE'));
  expect(secrets.length).toBeGreaterThan(0);
  for (const { value } of secrets) expect(value).toMatch(/^\/run\/secrets\/linehaul\/[a-z-]+$/);
});

it('selects the servers by their labels, and reaches them at the port where they listen', () => {
  const { metadata, spec } = find<Workload>('Deployment');
  const { labels } = spec.template.metadata;
  expect(spec.selector.matchLabels).toEqual(labels);
  expect(find<{ spec: Workload['spec'] }>('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
  const service = find<{ spec: { selector: object; ports: { targetPort: string }[] } }>('Service').spec;
  expect(service.selector).toEqual(labels);
  const [container] = spec.template.spec.containers;
  const port = container.ports[0]!;
  expect(service.ports[0]!.targetPort).toBe(port.name);
  const texts = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  expect(parseEnv(texts)).toMatchObject({ port: port.containerPort, hostname: '0.0.0.0', trustedProxies: 1 });
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const { path, port: at } = container[probe].httpGet;
    expect(at).toBe(port.name);
    expect(existsSync(`app${path}/route.ts`), path).toBe(true);
  }
  expect(container.readinessProbe.httpGet.path).toBe('/api/health/ready');
  const { scaleTargetRef } = find<{ spec: { scaleTargetRef: object } }>('HorizontalPodAutoscaler').spec;
  expect(scaleTargetRef).toMatchObject({ kind: 'Deployment', name: metadata.name });
});

it('restricts the servers as the containers of Docker Compose are', () => {
  const { securityContext, containers, volumes } = find<Workload>('Deployment').spec.template.spec;
  const [container] = containers;
  expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^USER 1000:1000$/m);
  expect(container.securityContext).toEqual({
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  });
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
  const { metadata } = find<Manifest>('PersistentVolumeClaim');
  expect(volumes).toContainEqual({
    name: 'archive',
    persistentVolumeClaim: { claimName: metadata.name },
  });
});

it('scales by a metric that each server has', async () => {
  interface Scaler {
    spec: { metrics: { pods: { metric: { name: string } } }[] };
  }
  const names = find<Scaler>('HorizontalPodAutoscaler').spec.metrics.map(({ pods }) => pods.metric.name);
  const { text } = await createMetrics(readVersions()).render({
    listPolled: () => [],
    journal: { lastPoll: () => null },
    viewers: { count: () => 0 },
    env: parseEnv({}),
    peekAccounts: () => [],
    clock: { nowMs: () => 0 },
    readNotReady: () => [],
    history: null,
    readServers: () => null,
    readRouting: () => null,
  });
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} `, 'm'));
});
