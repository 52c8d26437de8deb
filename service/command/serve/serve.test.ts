import { describe, expect, it } from 'vitest';
import { createTestStore } from '../../../testing/service/store';
import { runCommand } from '../main';

const test = createTestStore();

/** Runs a command that continues until it is aborted, and returns its first line. */
const start = (argv: string[], env: Record<string, string> = { LOG_LEVEL: 'warn' }) => {
  const stop = new AbortController();
  const lines: string[] = [];
  let tellFirst: (line: string) => void;
  const first = new Promise<string>((resolve) => (tellFirst = resolve));
  const ended = runCommand(argv, {
    databaseUrl: test.databaseUrl,
    now: Date.now,
    stdout: (line) => {
      lines.push(line);
      tellFirst(line);
    },
    stderr: (line) => lines.push(line),
    signal: stop.signal,
    env,
  });
  return {
    first,
    lines,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
};

interface Said {
  url: string;
  usdot: string;
  apiKey: string;
  providerToken: string;
}

const readUnits = async ({ url, usdot, apiKey, providerToken }: Said): Promise<unknown[]> => {
  const headers = { 'x-api-key': apiKey, 'provider-token': providerToken };
  const response = await fetch(`${url}/api/units/${usdot}`, { headers });
  return ((await response.json()) as { units: unknown[] }).units;
};

describe('serve', () => {
  it('drives a demo fleet through its own ingest, and stops on abort', async () => {
    const serving = start([
      'serve',
      '--port',
      '0',
      '--demo',
      '--units',
      '30',
      '--print-credentials',
      '--json',
    ]);
    const said = JSON.parse(await serving.first) as Said;
    await expect.poll(async () => (await readUnits(said)).length, { timeout: 15_000 }).toBeGreaterThan(15);
    expect(await serving.stop()).toBe(0);
    await expect(fetch(said.url)).rejects.toThrow();
  });

  it('shows no secret by default', async () => {
    const serving = start(['serve', '--port', '0', '--demo', '--units', '2']);
    expect(await serving.first).toMatch(/^The tracking service listens on http:\/\/127\.0\.0\.1:\d+ /);
    expect(await serving.stop()).toBe(0);
    expect(serving.lines.join('\n')).not.toContain('lh_');
  });

  it('treats an empty log level as unset, and refuses an unknown one', async () => {
    const serving = start(['serve', '--port', '0'], { LOG_LEVEL: '' });
    await serving.first;
    expect(await serving.stop()).toBe(0);
    const wrong = start(['serve', '--port', '0'], { LOG_LEVEL: 'loud' });
    expect(await wrong.stop()).toBe(1);
    expect(wrong.lines.join()).toContain('LOG_LEVEL must be one of debug, info, warn, error, not "loud".');
  });

  it.each(['FIX_RETENTION_DAYS', 'ACTIVE_WINDOW_MIN', 'TRUSTED_PROXIES'])(
    'names the variable %s, and no option, where its value is wrong',
    async (name) => {
      const wrong = start(['serve', '--port', '0'], { [name]: 'soon' });
      expect(await wrong.stop()).toBe(2);
      expect(wrong.lines[0]).toMatch(new RegExp(`^${name} is a whole number from .*, got "soon"\\.$`));
    },
  );

  it('fails with a reason when something listens there already', async () => {
    const first = start(['--port', '0', '--json']);
    const { url } = JSON.parse(await first.first) as Said;
    const second = start(['serve', '--port', new URL(url).port]);
    expect(await second.stop()).toBe(1);
    expect(second.lines.join()).toContain('something listens there already; choose another --port');
    await first.stop();
  });
});

describe('simulate', () => {
  it('puts the fleet on the roster and drives it against a running service', async () => {
    const serving = start(['serve', '--port', '0', '--json']);
    const { url } = JSON.parse(await serving.first) as Said;
    const simulating = start(['simulate', '--url', url, '--units', '30']);
    expect(await simulating.first).toBe(`30 demo units report to ${url} until you stop this (Ctrl-C).`);
    const { apiKey, providerToken } = await test.store.keys.create({ usdot: '9000001', name: 'test' });
    const said = { url, usdot: '9000001', apiKey, providerToken };
    await expect.poll(async () => (await readUnits(said)).length, { timeout: 15_000 }).toBeGreaterThan(15);
    expect(await simulating.stop()).toBe(0);
    const tokens = await test.store.ingestTokens.list('9000001');
    expect(tokens.filter(({ name, revokedAtMs }) => name === 'simulate' && revokedAtMs === null)).toEqual([]);
    await serving.stop();
  });
});
