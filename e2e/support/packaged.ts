import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assembleImage, removeImage, type Image } from './image';
import { findFreePorts } from '@/testing/ports';
import { stopProgram } from './programs';

/**
 * The user `nobody` where we may choose. A developer's own user otherwise, which the folder's rights stop as
 * well.
 */
const IDENTITY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The image's content, run as the image would be. */
export interface Packaged {
  image: Image;
  url: string;
  output(): string;
  /** Runs a command in the image's folder, as its user and with its settings; returns its output. */
  run(command: string[]): Promise<string>;
  /** Starts another program of the image beside it; returns how to end it. */
  start(command: string[]): { stop(): Promise<void> };
  /** Files of the image, with their sizes and modification times. */
  listFiles(): Map<string, { bytes: number; changedAtMs: number }>;
  /** Names in the one folder that its user may write to. */
  listTemporary(): string[];
  /** Signals it to end; returns how long that took in ms. */
  stop(): Promise<number>;
  remove(): Promise<void>;
}

const listFiles: (folder: string) => ReturnType<Packaged['listFiles']> = (folder) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { size, mtimeMs } = statSync(path);
        return [path.slice(folder.length + 1), { bytes: size, changedAtMs: mtimeMs }];
      }),
  );

/** The environment of the image and of its container, without the caller's own variables. */
const toEnv = (image: Image, variables: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  ...(image.env as { NODE_ENV: 'production' }),
  ...variables,
});

const toFile = ([program, ...args]: string[]): [string, string[]] => {
  if (program !== 'node') throw new Error(`The image runs ${program}, which only its base could hold.`);
  return [process.execPath, args];
};

/** Splits the password from a database URL, for a container's secret. */
const splitPassword = (databaseUrl: string, folder: string): Record<string, string> => {
  const url = new URL(databaseUrl);
  const file = join(folder, 'database-password');
  writeFileSync(file, `${url.password}\n`);
  url.password = '';
  return { DATABASE_URL: url.href, DATABASE_PASSWORD_FILE: file };
};

/** Assembles the image and starts it against a database. */
export const startPackaged = async (
  databaseUrl: string,
  variables: Record<string, string>,
): Promise<Packaged> => {
  const folder = mkdtempSync(join(tmpdir(), 'linehaul-image-'));
  const outside = mkdtempSync(join(tmpdir(), 'linehaul-outside-'));
  const temporary = join(outside, 'tmp');
  mkdirSync(temporary);
  if (IDENTITY.uid !== undefined) {
    chownSync(outside, IDENTITY.uid, IDENTITY.gid);
    chownSync(temporary, IDENTITY.uid, IDENTITY.gid);
  }
  const image = assembleImage(folder);
  const [port] = await findFreePorts(1);
  const env = toEnv(image, {
    ...variables,
    ...splitPassword(databaseUrl, outside),
    TMPDIR: temporary,
    HISTORY_DIR: join(outside, 'history'),
    HOSTNAME: '127.0.0.1',
    PORT: String(port),
  });
  let output = '';
  const start = (command: string[]): ChildProcess => {
    const child = spawn(...toFile(command), {
      cwd: folder,
      env,
      ...IDENTITY,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    return child;
  };
  const child = start(image.command);
  return {
    image,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    run: async (command) => {
      const { stdout } = await promisify(execFile)(...toFile(command), { cwd: folder, env, ...IDENTITY });
      return stdout;
    },
    start: (command) => {
      const other = start(command);
      return { stop: () => stopProgram(other) };
    },
    listFiles: () => listFiles(folder),
    listTemporary: () => readdirSync(temporary, { recursive: true }).map(String),
    stop: async () => {
      const startedAtMs = Date.now();
      await stopProgram(child);
      return Date.now() - startedAtMs;
    },
    remove: async () => {
      await stopProgram(child);
      removeImage(folder);
      rmSync(outside, { recursive: true });
    },
  };
};
