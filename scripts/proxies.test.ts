/** The directives of the proxies' examples that pages and phones depend on. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHaproxy, toLocalSettings } from '@/testing/balancer';
import { parseUnit, readKey } from '@/testing/deployment/systemd-unit';

const UNIT = parseUnit(readFileSync('deploy/linehaul-tracking.service', 'utf8'));
const APPLICATION = `127.0.0.1:${/^#PORT=(\d+)$/m.exec(readFileSync('.env.example', 'utf8'))![1]}`;
const SERVICE_ALONE = `127.0.0.1:${/--port (\d+)/.exec(readKey(UNIT, 'ExecStart'))![1]}`;

const OF_DEVICES = [
  '/tracking/ingest/TOKEN/traccar',
  '/tracking/ingest/osmand',
  '/tracking/api/units/1',
  '/tracking/extensions/units/1/VIN',
];
const OF_PEOPLE = ['/', '/fleets/1', '/api/health', '/tracking', '/tracking/docs', '/trackings/api/'];

/** The lines of the block that begins with a line, without comments, semicolons and repeated blanks. */
const readBlock = (text: string, head: string): string[] => {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() === `${head} {`);
  if (first === -1) throw new Error(`There is no ${head}.`);
  const indent = /^\s*/.exec(lines[first]!)![0];
  const end = lines.indexOf(`${indent}}`, first);
  return lines
    .slice(first + 1, end)
    .map((line) => line.trim().replace(/\s+/g, ' ').replace(/;$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'));
};

/** Enables the two lines for a tracking service that runs alone, in place of the third. */
const toAlone = (text: string): string =>
  text.replace(/(runs alone.*\n)(\s*)# (.*\n\s*)# (.*\n).*\n/, '$1$2$3$4');

describe('nginx.conf', () => {
  const text = readFileSync('deploy/nginx.conf', 'utf8');
  const [, plain, tls] = text.split(/^(?=server \{)/m) as [string, string, string];
  const [, pattern] = /location ~ (\S+) \{/.exec(tls)!;

  it('ends TLS that phones accept, and tells Linehaul the host, scheme and client of each request', () => {
    const server = readBlock(tls, 'server');
    expect(server).toEqual(
      expect.arrayContaining([
        'listen 443 ssl http2',
        'ssl_certificate /etc/letsencrypt/live/fleet.example.com/fullchain.pem',
        'ssl_protocols TLSv1.2 TLSv1.3',
        'proxy_set_header Host $host',
        'proxy_set_header X-Forwarded-Host $host',
        'proxy_set_header X-Forwarded-Proto $scheme',
        'proxy_set_header X-Forwarded-For $remote_addr',
      ]),
    );
  });

  it('passes pages with a login, and reports without one and without a log of their addresses', () => {
    expect(readBlock(tls, 'location /')).toContain('auth_basic "Linehaul"');
    expect(readBlock(tls, 'location /')).toContain(`proxy_pass http://${APPLICATION}`);
    expect(OF_DEVICES.filter((path) => !new RegExp(pattern!).test(path))).toEqual([]);
    expect(OF_PEOPLE.filter((path) => new RegExp(pattern!).test(path))).toEqual([]);
    expect(readBlock(tls, `location ~ ${pattern}`)).toEqual([
      'access_log off',
      'error_log /var/log/nginx/error.log crit',
      `proxy_pass http://${APPLICATION}`,
    ]);
  });

  it('passes reports to a tracking service that runs alone, at the same addresses', () => {
    const [, , rewrite, pass, ...more] = readBlock(toAlone(tls), `location ~ ${pattern}`);
    const [, from, to] = /^rewrite (\S+) (\S+) break$/.exec(rewrite!)!;
    expect('/tracking/ingest/TOKEN/traccar'.replace(new RegExp(from!), to!)).toBe('/ingest/TOKEN/traccar');
    expect([pass, ...more]).toEqual([`proxy_pass http://${SERVICE_ALONE}`]);
  });

  it('refuses reports over http, and leads browsers to https', () => {
    expect(readBlock(plain, 'location /tracking/')).toEqual(['access_log off', 'return 403']);
    expect(readBlock(plain, 'location /')).toEqual(['return 308 https://$host$request_uri']);
  });
});

describe('Caddyfile', () => {
  const text = readFileSync('deploy/Caddyfile', 'utf8');
  const site = text.slice(text.indexOf('\nfleet.example.com {'));

  it('passes pages with a login, and reports without one', () => {
    const [, ...paths] = /^\t@devices path (.*)$/m.exec(site)![0].trim().split(' ').slice(1);
    const isOfDevices = (path: string) => paths.some((each) => path.startsWith(each.replace(/\*$/, '')));
    expect(OF_DEVICES.filter((path) => !isOfDevices(path))).toEqual([]);
    expect(OF_PEOPLE.filter(isOfDevices)).toEqual([]);
    expect(readBlock(site, 'handle @devices')).toEqual([`reverse_proxy ${APPLICATION}`]);
    expect(readBlock(site, 'handle')).toEqual(
      expect.arrayContaining(['basicauth {', `reverse_proxy ${APPLICATION}`]),
    );
  });

  it('passes reports to a tracking service that runs alone, at the same addresses', () => {
    expect(readBlock(toAlone(site), 'handle @devices')).toEqual([
      'uri strip_prefix /tracking',
      `reverse_proxy ${SERVICE_ALONE}`,
    ]);
  });

  it('logs errors without what may hold a token', () => {
    expect(readBlock(text, 'fields')).toEqual(['request>uri delete', 'request>headers delete']);
  });

  it('refuses reports over http, and leads browsers to https', () => {
    expect(readBlock(text, 'handle /tracking/*')).toEqual(['respond 403']);
    expect(readBlock(text, 'handle')).toEqual(['redir https://{host}{uri} 308']);
  });
});

/** testing/balancer.test.ts tests what it does with requests. */
describe('haproxy.cfg', () => {
  const text = readFileSync('deploy/haproxy.cfg', 'utf8');
  const toAloneBeside = text.replace(/(runs alone.*\n\s*)# (.*\n\s*)# /, '$1$2');

  /** Its errors and warnings. */
  const listFaults = (settings: string): string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'linehaul-haproxy-'));
    const path = join(folder, 'haproxy.cfg');
    writeFileSync(path, settings);
    const { stderr } = spawnSync(findHaproxy(), ['-c', '-f', path], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    return stderr.match(/^\[(?:ALERT|WARNING)\].*\[\S+:\d+\].*$/gm) ?? [];
  };
  const toLocal = (settings: string) =>
    toLocalSettings(settings, { servers: [3001, 3002, 3003], port: 3000, plainPort: 2999 });

  it('is accepted by HAProxy as it is, but for the certificate and the names of servers', () => {
    expect(listFaults(text)).toEqual([expect.stringContaining('unable to stat SSL certificate from file')]);
    expect(listFaults(toLocal(text))).toEqual([]);
    expect(listFaults(toLocal(toAloneBeside))).toEqual([]);
    expect(listFaults(toLocal(text.replace('set-timeout', 'set-time-out')))).toHaveLength(1);
  });

  it('ends TLS that phones accept', () => {
    expect(text).toMatch(/^ {4}ssl-default-bind-options ssl-min-ver TLSv1\.2$/m);
    expect(text).toMatch(/^ {4}bind :443 ssl alpn h2,http\/1\.1 crt \/etc\/haproxy\/certificate\.pem$/m);
  });

  it('passes reports to a tracking service that runs alone, at the same addresses', () => {
    const [, ...paths] = /^ {4}acl is_tracking path_beg (.*)$/m
      .exec(toAloneBeside)![0]
      .trim()
      .split('path_beg')[1]!
      .split(' ');
    const isTracking = (path: string) => paths.some((each) => path.startsWith(each));
    expect(OF_DEVICES.filter((path) => !isTracking(path))).toEqual([]);
    expect(OF_PEOPLE.filter(isTracking)).toEqual([]);
    expect(toAloneBeside).toMatch(/^ {4}use_backend tracking if is_tracking$/m);
    const [, from, to] = /^ {4}http-request replace-path (\S+) (\S+)$/m.exec(text)!;
    expect('/tracking/ingest/TOKEN/traccar'.replace(new RegExp(from!), to!.replace('\\', '$'))).toBe(
      '/ingest/TOKEN/traccar',
    );
    expect(text).toMatch(new RegExp(`^ {4}server tracking ${SERVICE_ALONE}$`, 'm'));
  });
});
