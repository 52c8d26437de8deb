/** The files that other programs read know nothing of each other: what they name must be there. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { expect, test } from 'vitest';
import { hasValidCheckDigit } from '@/lib/identity/vin';
import { silentLog } from '@/service/log';
import { createService } from '@/service/service';
import type { Store } from '@/service/store/store';
import { parseUnit, readKey, toUnitEnvironment } from '@/testing/deployment/systemd-unit';
import type { Unit } from '@/testing/deployment/systemd-unit';

const FILES = [
  'Dockerfile',
  'compose.yaml',
  'deploy/linehaul.service',
  'deploy/linehaul-tracking.service',
  'docs/operations.md',
  'docs/deployment.md',
];
const read = (path: string): string => readFileSync(path, 'utf8');
const listMatches = (path: string, pattern: RegExp): string[] =>
  [...read(path).matchAll(pattern)].map(([found]) => found);

test.each(FILES)('%s names only scripts and files that are there', (path) => {
  const named = listMatches(path, /\b(?:scripts|server|service|deploy|bench)\/[\w/-]+(?:\.\w+)?/g);
  expect(named.filter((name) => !existsSync(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});

test.each(FILES.slice(1))('%s names only settings that .env.example explains', (path) => {
  const SETTING =
    /\b(?:TRACKING(?:_\d+)?|DATABASE|LINEHAUL|MAP|LOG|POLL|DEMO|ACTIVE|FIX|OIDC|SMTP|AUTH|METRICS|REQUIRE|TRUSTED|PUBLIC)_[A-Z_]+\b/g;
  const explained = new Set(listMatches('.env.example', SETTING));
  const named = listMatches(path, SETTING);
  expect(named.filter((name) => !explained.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});

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
  expect(files).toContain('compose.yaml');
  expect(listSchemaFaults(files)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'linehaul-compose-'));
  const misspelled = join(folder, 'compose.yaml');
  writeFileSync(misspelled, read('compose.yaml').replace('mem_limit:', 'memory_limit:'));
  expect(listSchemaFaults([misspelled])).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test('what listens in a container is published on this machine only', () => {
  const published = [...read('compose.yaml').matchAll(/ports: \['([^']+)'\]/g)].map(([, port]) => port);
  expect(published.length).toBeGreaterThan(0);
  expect(published.filter((port) => !port?.startsWith('127.0.0.1:'))).toEqual([]);
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
