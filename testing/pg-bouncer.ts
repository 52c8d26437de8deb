import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STARTS_WITHIN_MS = 10_000;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Starts PgBouncer in transaction mode, which gives a connection to another client after each transaction. All go to one
 * database. `folder` gets its settings, which another user reads where this process runs as root.
 */
export const startPgBouncer = async (databaseUrl: string, port: number, folder: string) => {
  // scripts/bootstrap.mjs --test notes it.
  const program = readFileSync(join('.cache', 'pgbouncer'), 'utf8');
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl);
  const settings = join(folder, 'pgbouncer.ini');
  const database = pathname.slice(1);
  writeFileSync(
    settings,
    `[databases]
${database} = host=${hostname} port=${databasePort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 200
`,
  );
  const asRoot = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const bouncer = spawn(program, ['-q', ...asRoot, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  bouncer.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(bouncer, 'exit');
  for (const untilMs = Date.now() + STARTS_WITHIN_MS; !(await isListening(port)); await sleep(50))
    if (bouncer.exitCode !== null || Date.now() > untilMs)
      throw new Error(`PgBouncer does not listen: ${output}`);
  return {
    databaseUrl: `postgres://linehaul@127.0.0.1:${port}/${database}?pgbouncer=true`,
    stop: async () => {
      bouncer.kill('SIGTERM');
      await ended;
    },
  };
};
