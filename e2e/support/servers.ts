import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findFreePorts } from '@/testing/ports';
import { startProgram, waitForAnswer, type Variables } from './programs';

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Another checkout, whose server is started from its build or, where it has none of its own, from its sources. */
interface Checkout {
  root: string;
  script: 'start' | 'sources';
}

/** One of several servers, on a port of its own unless PORT is set; of this checkout unless another is given. */
export const startServer = async (variables: Variables, log: string, checkout?: Checkout) => {
  const port = variables.PORT ?? String((await findFreePorts(1))[0]);
  const url = `http://127.0.0.1:${port}`;
  const { script, root } = checkout ?? { script: 'start' };
  const program = startProgram(script, [], { ...variables, PORT: port }, log, root);
  await waitForAnswer(`${url}/api/health`, program, log).catch((error: unknown) => {
    program.kill('SIGKILL');
    throw error;
  });
  return { url, program, log };
};

const SOURCES = ['app', 'lib', 'server', 'service', 'package-lock.json', 'tsconfig.json'];

const copyTo = (root: string, names: readonly string[]): void => {
  for (const name of names) cpSync(name, join(root, name), { recursive: true });
};
const linkTo = (root: string, names: readonly string[]): void => {
  for (const name of names) symlinkSync(resolve(name), join(root, name));
};

const replaceIn = (file: string, from: string, to: string): void => {
  const source = readFileSync(file, 'utf8');
  const changed = source.replace(from, to);
  if (changed === source) throw new Error(`${file} has no ${from} to replace.`);
  writeFileSync(file, changed);
};

/** Makes a checkout whose servers send messages of the next version, as after an upgrade, with the build of this one. */
export const createNextVersion = (root: string): Checkout => {
  copyTo(root, SOURCES);
  linkTo(root, ['.cache', '.next', 'node_modules', 'public', 'next.config.mjs', 'package.json']);
  replaceIn(join(root, 'lib/cluster/server/messages.ts'), '`1.${', '`2.${');
  return { root, script: 'sources' };
};

/** In this checkout: Turbopack follows no link that leads out of it. */
const NEXT_FORMAT = join('.cache', 'next-format');

/**
 * Makes and builds a checkout whose live answers have the next version, in which the latitude has the place of the longitude.
 * It is built again only if the sources have changed.
 */
export const buildNextFormat = async (): Promise<Checkout & { build: string }> => {
  const root = resolve(NEXT_FORMAT);
  const copied = [...SOURCES, 'components', 'scripts', 'next.config.mjs', 'package.json'];
  const linked = ['node_modules', 'public'];
  for (const name of [...copied, ...linked]) rmSync(join(root, name), { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  copyTo(root, copied);
  linkTo(root, linked);
  replaceIn(join(root, 'lib/wire/live-bytes.ts'), 'LIVE_VERSION = 1;', 'LIVE_VERSION = 2;');
  replaceIn(join(root, 'lib/wire/fleet.ts'), "['latE5', 'lngE5', 'fixAtS'", "['lngE5', 'latE5', 'fixAtS'");
  // By its address: the scripts that run before the packages are installed have no types.
  const { buildApplication } = (await import(pathToFileURL(resolve('scripts/bootstrap/build.mjs')).href)) as {
    buildApplication: (root: string) => Promise<void>;
  };
  await buildApplication(root);
  return { root, script: 'start', build: readFileSync(join(root, '.next', 'BUILD_ID'), 'utf8').trim() };
};
