import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseUnit, readKey, toUnitEnvironment } from '@/testing/deployment/systemd-unit';
import { toEnv, type Variables } from './programs';

const IS_ROOT = process.getuid?.() === 0;
/** The user of the units: `nobody` in place of `linehaul` where we may choose, and our own otherwise. */
const IDENTITY = IS_ROOT ? { uid: 65_534, gid: 65_534 } : {};
const USER = IS_ROOT ? 'nobody' : userInfo().username;

/** Files that a new checkout does not have, but for the build, which is copied. */
const NOT_COPIED = /^(\.cache|\.data|\.env|\.env\.local|\.git|node_modules|playwright-report|test-results)$/;

/**
 * Commands that would change this machine or that it may lack, as functions of the shell that runs a document's commands.
 * Everything else is run as it is written. The tools of PostgreSQL are the service's backup and restore.
 */
const SIMULATED = `
useradd() { :; }
date() { echo 2026-11-21; }
control() { "$NODE" -e 'fetch(process.env.CONTROL, { method: "POST", body: JSON.stringify(process.argv.slice(1)) })
  .then(async (answer) => { if (!answer.ok) { console.error(await answer.text()); process.exit(1); } })' "$@"; }
systemctl() { control systemctl "$@"; }
docker() { shift; case "$1" in exec) shift 3; "$@" ;; *) control docker "$@" ;; esac; }
dropdb() { control dropdb "$@"; }
createdb() { control createdb "$@"; }
service() { "$NODE" --import tsx service/main.ts "$@"; }
pg_dump() { service backup dump.sql.gz > /dev/null; cat dump.sql.gz; rm dump.sql.gz; }
pg_restore() { cat > restored.sql.gz; service restore restored.sql.gz; rm restored.sql.gz; }
psql() { gzip | pg_restore; }
sudo() { shift 2; ${IS_ROOT ? 'setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent' : 'env'} "$@"; }
`;

/** A unit's process. */
interface UnitProcess {
  child: ChildProcess;
  output: string;
  stopWithinMs: number;
}

/** A machine for the commands of the documents: a folder with a built checkout in /opt/linehaul, and systemd's part. */
export interface Machine {
  /** Where a path of the documents is. */
  toPath(path: string): string;
  /** Runs commands as root; returns what they print. @throws Error when one fails */
  run(commands: string): Promise<string>;
  /** All that a unit has printed since its last start. */
  readOutput(unit: string): string;
  /** Names and times of the files of the checkout. */
  listCheckout(): Map<string, number>;
  remove(): Promise<void>;
}

/**
 * @param simulated commands of the shell, besides systemctl, that are functions of the test
 * @param replaced texts of units that cannot be used on this machine, such as a port, with what takes their place
 * @param settings variables that an operator would enable in the settings of every unit
 */
export const createMachine = async (
  replaced: Record<string, string>,
  settings: Variables,
  simulated: Record<string, (args: string[]) => Promise<void>>,
): Promise<Machine> => {
  const folder = mkdtempSync(join(tmpdir(), 'linehaul-machine-'));
  chmodSync(folder, 0o755);
  const toPath = (path: string): string => join(folder, path);
  const toLocal = (text: string): string =>
    text.replaceAll(/(?<![\w.])\/(?=(?:etc|opt|var)\/)/g, `${folder}/`);
  const checkout = toPath('/opt/linehaul');
  for (const path of ['/etc/systemd/system', '/opt', '/var/lib', '/var/backups'])
    mkdirSync(toPath(path), { recursive: true });
  copyCheckout(checkout);

  const units = new Map<string, UnitProcess>();
  const start = (name: string): void => {
    if (units.get(name)?.child.exitCode === null) return;
    let text = toLocal(readFileSync(toPath(`/etc/systemd/system/${name}.service`), 'utf8'));
    for (const [from, to] of Object.entries(replaced)) text = text.replaceAll(from, to);
    units.set(name, startUnit(text, folder, settings));
  };
  const stop = async (name: string): Promise<void> => {
    const unit = units.get(name);
    if (unit === undefined || unit.child.exitCode !== null) return;
    await stopUnit(unit);
  };
  const systemctl = async ([command, ...args]: string[]): Promise<void> => {
    const names = args.filter((arg) => !arg.startsWith('-'));
    if (command === 'daemon-reload') return;
    if (command === 'start' || command === 'enable') return names.forEach(start);
    if (command !== 'stop') throw new Error(`systemctl ${command} is not simulated.`);
    for (const name of names) await stop(name);
  };
  const control = await startControl({ systemctl, ...simulated });
  const shellEnv = { ...toEnv({}), CONTROL: control.url, NODE: process.execPath };

  return {
    toPath,
    run: async (commands) => {
      const script = `set -e\n${SIMULATED}\n${toLocal(commands)}`;
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], {
        cwd: checkout,
        env: shellEnv,
      });
      return stdout;
    },
    readOutput: (name) => units.get(name)?.output ?? '',
    listCheckout: () => listFiles(checkout),
    remove: async () => {
      for (const name of units.keys()) await stop(name);
      control.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** Listens for commands of the shell as JSON. */
const startControl = async (
  commands: Record<string, (args: string[]) => Promise<void>>,
): Promise<{ url: string; close(): void }> => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const [name, ...args] = JSON.parse(body) as [string, ...string[]];
    const fault = await Promise.resolve(args)
      .then(commands[name])
      .then(() => null, String);
    response.writeHead(fault === null ? 200 : 500).end(fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
};

/** The sources and the build as copies. The packages are 1.1 GB, so they are a link where the units' user can read them. */
const copyCheckout = (checkout: string): void => {
  mkdirSync(join(checkout, '.cache'), { recursive: true });
  for (const name of readdirSync('.').filter((name) => !NOT_COPIED.test(name)))
    cpSync(name, join(checkout, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.startsWith('.next/cache'),
    });
  // How the build knows that the files of public/ are current.
  for (const name of readdirSync('.cache').filter((name) => name.startsWith('data-')))
    cpSync(join('.cache', name), join(checkout, '.cache', name));
  const packages = join(process.cwd(), 'node_modules');
  if (canOthersEnter(packages)) symlinkSync(packages, join(checkout, 'node_modules'));
  else cpSync(packages, join(checkout, 'node_modules'), { recursive: true, verbatimSymlinks: true });
};

const canOthersEnter = (folder: string): boolean =>
  !IS_ROOT ||
  ((statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || canOthersEnter(dirname(folder))));

/** What systemd sets in each process, and what the machine of the documents has in these places. */
const toBaseEnvironment = (state: string, temporary: string): Variables => ({
  LANG: 'C.UTF-8',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: state,
  LOGNAME: USER,
  USER,
  SHELL: '/usr/sbin/nologin',
  INVOCATION_ID: randomBytes(16).toString('hex'),
  STATE_DIRECTORY: state,
  TMPDIR: temporary,
});

const makeOwnFolder = (path: string, mode: number): string => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  if (IDENTITY.uid !== undefined) chownSync(path, IDENTITY.uid, IDENTITY.gid);
  return path;
};

/** Starts a unit's process with its environment, user, folders and file mode mask. Its sandbox needs systemd. */
const startUnit = (text: string, folder: string, settings: Variables): UnitProcess => {
  const unit = parseUnit(text);
  const name = readKey(unit, 'StateDirectory');
  const mode = parseInt(readKey(unit, 'StateDirectoryMode'), 8);
  const state = makeOwnFolder(join(folder, 'var', 'lib', name), mode);
  const temporary = makeOwnFolder(join(folder, `tmp-${name}`), 0o700);
  const [program, ...args] = readKey(unit, 'ExecStart').split(' ');
  if (program !== '/usr/bin/node') throw new Error(`The unit starts ${program}.`);
  const child = spawn(
    '/bin/sh',
    ['-c', 'umask "$0" && exec "$@"', readKey(unit, 'UMask'), process.execPath, ...args],
    {
      cwd: readKey(unit, 'WorkingDirectory'),
      env: {
        ...toBaseEnvironment(state, temporary),
        ...(toUnitEnvironment(unit, (path) => readFileSync(path, 'utf8')) as { NODE_ENV: 'production' }),
        ...settings,
      },
      ...IDENTITY,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const running: UnitProcess = {
    child,
    output: '',
    stopWithinMs: parseInt(readKey(unit, 'TimeoutStopSec')) * 1000,
  };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (running.output += chunk));
  return running;
};

/** @throws Error when it does not end in time by SIGTERM to its main process, with exit code 0 */
const stopUnit = async (unit: UnitProcess): Promise<void> => {
  const { child, stopWithinMs } = unit;
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  const code = await Promise.race([ended, sleep(stopWithinMs, 'late' as const, { ref: false })]);
  if (code === 'late') child.kill('SIGKILL');
  if (code !== 0)
    throw new Error(`The unit ended with ${code} (${stopWithinMs} ms at most):\n${unit.output}`);
};

const listFiles = (folder: string): Map<string, number> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), statSync(path).mtimeMs]),
  );
