import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from './ports';
import { createScratchFolder } from './scratch';

const STARTS_WITHIN_MS = 10_000;
const TLS = ' ssl alpn h2,http/1.1 crt /etc/haproxy/certificate.pem';

/** scripts/bootstrap.mjs --test notes it. */
export const findHaproxy = (): string => readFileSync(join('.cache', 'haproxy'), 'utf8');

interface BalancerAddresses {
  /** Of the servers, on this machine. */
  servers: number[];
  /** The port in place of 443, without TLS. */
  port: number;
  /** The port in place of 80. */
  plainPort: number;
}

const replaceOne = (text: string, from: string | RegExp, to: string): string => {
  if (text.replace(from, '') === text) throw new Error(`deploy/haproxy.cfg has no ${from}.`);
  return text.replace(from, () => to);
};

/** deploy/haproxy.cfg with addresses of this machine. Only root may change to the user that it names. */
export const toLocalSettings = (text: string, { servers, port, plainPort }: BalancerAddresses): string => {
  const lines = servers.map((each, index) => `    server linehaul-${index + 1} 127.0.0.1:${each}\n`);
  const local = [
    [/( {4}server linehaul-\d .*\n)+/, lines.join('')],
    [`bind :443${TLS}`, `bind 127.0.0.1:${port}`],
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
  ].reduce((before, [from, to]) => replaceOne(before, from!, to as string), text);
  return process.getuid?.() === 0 ? local : replaceOne(local, / {4}user .*\n {4}group .*\n/, '');
};

export interface Balancer {
  url: string;
  /** What answers http, which leads to https. */
  plainUrl: string;
  /** Its log so far. */
  log: () => string;
  stop: () => Promise<void>;
}

/** Starts HAProxy with deploy/haproxy.cfg in front of servers on this machine. Resolves once it accepts connections. */
export const startBalancer = async ({
  servers,
  port,
}: {
  servers: number[];
  port?: number;
}): Promise<Balancer> => {
  const free = await findFreePorts(2);
  const addresses = { servers, port: port ?? free[0]!, plainPort: free[1]! };
  const folder = createScratchFolder('linehaul-balancer-');
  const settings = join(folder, 'haproxy.cfg');
  writeFileSync(settings, toLocalSettings(readFileSync('deploy/haproxy.cfg', 'utf8'), addresses));
  const program = spawn(findHaproxy(), ['-db', '-f', settings], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [program.stdout, program.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(program, 'exit');
  const stop = async (): Promise<void> => {
    // Ends at once, also while requests are open.
    program.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const plainUrl = `http://127.0.0.1:${addresses.plainPort}`;
  const answers = () => fetch(plainUrl, { redirect: 'manual' }).catch(() => null);
  for (const untilMs = Date.now() + STARTS_WITHIN_MS; (await answers()) === null; await sleep(20)) {
    if (program.exitCode === null && Date.now() < untilMs) continue;
    await stop();
    throw new Error(`HAProxy does not listen: ${output}`);
  }
  return { url: `http://127.0.0.1:${addresses.port}`, plainUrl, log: () => output, stop };
};
