/** The files that other programs read know nothing of each other: what they name must be there. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseEnv } from '@/lib/config/env';
import { hasValidCheckDigit } from '@/lib/identity/vin';
import { silentLog } from '@/service/log';
import { createService } from '@/service/service';
import type { Store } from '@/service/store/store';
import { parseUnit, readKey, toUnitEnvironment, type Unit } from '@/testing/deployment/systemd-unit';

const FILES = [
  'Dockerfile',
  'compose.base.yaml',
  'compose.cluster.yaml',
  'compose.yaml',
  'deploy/kubernetes/deployment.yaml',
  'deploy/linehaul.service',
  'deploy/linehaul-tracking.service',
  'docs/operations.md',
  'docs/deployment.md',
  'docs/scaling.md',
];
const read = (path: string): string => readFileSync(path, 'utf8');
const listMatches = (path: string, pattern: RegExp): string[] =>
  [...read(path).matchAll(pattern)].map(([found]) => found);

/** Those that name no file, and those that name no setting. */
const without = (...names: string[]) => FILES.filter((name) => !names.includes(name));

test.each(without('compose.base.yaml', 'deploy/kubernetes/deployment.yaml', 'deploy/linehaul.service'))(
  '%s names only scripts and files that are there',
  (path) => {
    const named = listMatches(path, /\b(?:scripts|server|service|deploy|bench)\/[\w/-]+(?:\.\w+)?/g);
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  },
);

test('systemd and the image start the program of npm start', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  const args = scripts.start.replace('exec node ', '').split(' ');
  expect(read('deploy/linehaul.service')).toContain(`ExecStart=/usr/bin/node ${args.join(' ')}\n`);
  expect(read('Dockerfile')).toContain(`CMD ${JSON.stringify(['node', ...args]).replaceAll(',', ', ')}`);
});

test.each(without('Dockerfile', 'compose.yaml'))(
  '%s names only settings that .env.example explains',
  (path) => {
    const SETTING =
      /\b(?:TRACKING(?:_\d+)?|DATABASE|LINEHAUL|MAP|LOG|POLL|DEMO|ACTIVE|FIX|OIDC|SMTP|AUTH|METRICS|REQUIRE|TRUSTED|PUBLIC|REDIS|HISTORY)_[A-Z_]+\b/g;
    const explained = new Set(listMatches('.env.example', SETTING));
    const named = listMatches(path, SETTING);
    expect(named.filter((name) => !explained.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  },
);

test('a build of the image is sent no secret, no history, and nothing that was made elsewhere', () => {
  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toEqual(
    expect.arrayContaining(['.env', '.env.*', 'secrets', '.git', 'node_modules', '.next', '.data', '.cache']),
  );
  expect(ignored.filter((line) => line.startsWith('!'))).toEqual([]);
  expect(read('.gitignore').split('\n')).toContain('secrets/');
});

/** Where files of Docker Compose leave its official JSON schema, which the linter contains. */
const listSchemaFaults = (paths: string[]): string[] =>
  new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
    .lintFiles(paths, false)
    .flatMap(({ messages }) => messages)
    .filter(({ rule }) => rule === 'invalid-schema' || rule === 'invalid-yaml')
    .map(({ message }) => message);

test('the files of Docker Compose follow its schema', () => {
  const files = readdirSync('.').filter((name) => /^compose.*\.yaml$/.test(name));
  expect(files.sort()).toEqual(['compose.base.yaml', 'compose.cluster.yaml', 'compose.yaml']);
  expect(listSchemaFaults(files)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'linehaul-compose-'));
  const misspelled = join(folder, 'compose.yaml');
  writeFileSync(misspelled, read('compose.base.yaml').replace('mem_limit:', 'memory_limit:'));
  expect(listSchemaFaults([misspelled])).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

interface ComposeService {
  extends?: { file?: string; service: string };
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  secrets?: (string | { source: string })[];
  depends_on?: Record<string, object>;
  environment?: Record<string, unknown>;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
}
interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
  secrets: Record<string, unknown>;
}
const readCompose = (path: string) => parse(read(path), { merge: true }) as ComposeFile;

/** A service with what it extends, merged as Compose does: mappings by key, lists one after the other, the rest replaced. */
const resolveService = (file: string, name: string): ComposeService => {
  const { extends: base, ...own } = readCompose(file).services[name]!;
  if (base === undefined) return own;
  const merged: Record<string, unknown> = { ...resolveService(base.file ?? file, base.service) };
  for (const [key, value] of Object.entries(own)) {
    const before = merged[key];
    if (Array.isArray(value) && key !== 'command') merged[key] = [...((before as unknown[]) ?? []), ...value];
    else if (typeof value === 'object' && !Array.isArray(value))
      merged[key] = { ...(before as object), ...value };
    else merged[key] = value;
  }
  return merged;
};

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (path) => {
  const file = readCompose(path);
  const names = Object.keys(file.services);
  const services = names.map((name) => ({ name, ...resolveService(path, name) }));

  test('publishes what listens in a container on this machine only', () => {
    const published = services.flatMap(({ ports = [] }) => ports);
    expect(published.length).toBeGreaterThan(0);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('restricts every program but PostgreSQL', () => {
    for (const { name, read_only, cap_drop, cap_add, security_opt } of services) {
      expect(security_opt, name).toEqual(['no-new-privileges:true']);
      if (name === 'database') continue;
      expect({ name, read_only, cap_drop, cap_add }).toEqual({ name, read_only: true, cap_drop: ['ALL'] });
    }
  });

  test('declares what its services name', () => {
    const named = (list: (service: ComposeService) => string[]) => new Set(services.flatMap(list));
    const listSecrets = ({ secrets = [] }: ComposeService) =>
      secrets.map((each) => (typeof each === 'string' ? each : each.source));
    const listVolumes = ({ volumes = [] }: ComposeService) =>
      volumes.map((each) => each.split(':')[0]!).filter((each) => !each.startsWith('.'));
    expect([...named(({ networks = [] }) => networks)].sort()).toEqual(Object.keys(file.networks).sort());
    expect([...named(listSecrets)].sort()).toEqual(Object.keys(file.secrets).sort());
    expect([...named(listVolumes)].sort()).toEqual(Object.keys(file.volumes).sort());
    const needed = named(({ depends_on = {} }) => Object.keys(depends_on));
    expect([...needed].filter((name) => !names.includes(name))).toEqual([]);
  });
});

test('the containers of several servers are those that the balancer names, with one PostgreSQL, Redis and archive', () => {
  const { services, secrets } = readCompose('compose.cluster.yaml');
  const balancing = read('deploy/haproxy.cfg');
  const balanced = [...balancing.matchAll(/^ {4}server (linehaul-\d) (\S+):(\d+)$/gm)];
  const servers = Object.keys(services).filter((name) => name.startsWith('linehaul'));
  expect(balanced.map(([, , host]) => host)).toEqual(servers);
  for (const [, name, , port] of balanced) {
    const { environment, volumes, ports, networks } = resolveService('compose.cluster.yaml', name!);
    const texts = Object.entries(environment!).map(([key, value]) => [key, String(value)]);
    const settings = { ...(Object.fromEntries(texts) as object), AUTH_SECRET: 'x'.repeat(32) };
    expect(parseEnv(settings), name).toMatchObject({
      ...{ port: Number(port), trustedProxies: 1, redisUrl: 'redis://redis:6379' },
    });
    expect({ volumes, ports, networks }).toEqual({
      ...{ volumes: ['history:/var/lib/linehaul'], ports: undefined, networks: ['outside', 'inside'] },
    });
  }
  const balancer = resolveService('compose.cluster.yaml', 'balancer');
  expect(balancer.volumes).toEqual(['./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro']);
  const { source, target } = balancer.secrets![0] as { source: string; target: string };
  expect(Object.keys(secrets)).toContain(source);
  expect(balancing).toContain(` crt ${target}\n`);
});

const readUnit = (name: string): Unit => parseUnit(read(`deploy/${name}.service`));

test.each([
  ['linehaul', 'start', ''],
  ['linehaul-tracking', 'service', ' serve --port 4000'],
])('the unit %s starts what npm run %s does, without what npm does before', (name, script, args) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(`exec ${readKey(readUnit(name), 'ExecStart')}`).toBe(
    `${scripts[script]}${args}`.replace('node', '/usr/bin/node'),
  );
});

test('both units run as the same user in the same sandbox, each with a folder and settings of its own', () => {
  const OWN = ['Description', 'EnvironmentFile', 'ExecStart', 'MemoryMax', 'StateDirectory'];
  const [application, tracking] = [readUnit('linehaul'), readUnit('linehaul-tracking')];
  const differing = [...application.keys()].filter(
    (key) => String(application.get(key)) !== String(tracking.get(key)),
  );
  expect(differing.sort()).toEqual(OWN);
  expect([...tracking.keys()].sort()).toEqual([...application.keys()].sort());
});

test('a credential that a drop-in names, as documented, reaches the program beside .env.example as it is', () => {
  const [, dropIn] = /`LoadCredential=[^`]+` with `(Environment=[^`]+)`/.exec(read('docs/operations.md'))!;
  const unit = parseUnit(`${read('deploy/linehaul.service')}\n[Service]\n${dropIn}`);
  expect(toUnitEnvironment(unit, () => read('.env.example'))).toEqual({
    NODE_ENV: 'production',
    TRACKING_API_KEY_FILE: '%d/key',
  });
});

test('the examples of proxies are read by those of Debian 12 and Ubuntu 24.04, and not only by newer ones', () => {
  // nginx supports "http2 on" since 1.25.1, Caddy "basic_auth" since 2.8; older versions refuse to start with them.
  expect(listMatches('deploy/nginx.conf', /^\s*http2 .*$/gm)).toEqual([]);
  expect(listMatches('deploy/nginx.conf', /^\s*listen .*443 ssl http2;$/gm)).toHaveLength(2);
  expect(listMatches('deploy/Caddyfile', /^\s*basic_?auth\b/gm).map((name) => name.trim())).toEqual([
    'basicauth',
  ]);
});

test('every VIN of the documents has a valid check digit', async () => {
  const service = createService({ store: {} as Store, now: Date.now, log: silentLog });
  const readAnswer = async (path: string) =>
    (await service.fetch(new Request(`http://service${path}`))).text();
  const texts = [
    ...[
      'README.md',
      ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
    ].map(read),
    await readAnswer('/openapi.json'),
    await readAnswer('/docs'),
  ];
  // A VIN of the examples: 17 capitals and digits, and both of them.
  const vins = texts.flatMap((text) => text.match(/\b(?=\w*\d)(?=\w*[A-Z])[A-HJ-NPR-Z0-9]{17}\b/g) ?? []);
  expect(vins.length).toBeGreaterThan(4);
  expect(vins.filter((vin) => !hasValidCheckDigit(vin))).toEqual([]);
});

test('a restore in containers starts every service that it stopped', () => {
  const [, stopped] = /docker compose stop (.+)/.exec(read('docs/operations.md')) ?? [];
  const [, started] = /docker compose start ([^#\n]+)/.exec(read('docs/operations.md')) ?? [];
  expect(started?.trim()).toBe(stopped);
});
