import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFreePorts } from '@/testing/ports';
import { startProgram, waitForAnswer } from './programs';
import type { Variables } from './programs';

export type Server = Awaited<ReturnType<typeof startServer>>;

/** One of several servers, on a port of its own unless PORT is set; of another checkout where `root` names one. */
export const startServer = async (variables: Variables, log: string, root?: string) => {
  const port = variables.PORT ?? String((await findFreePorts(1))[0]);
  const url = `http://127.0.0.1:${port}`;
  // The build of the other checkout is that of this one.
  const script = root === undefined ? 'start' : 'sources';
  const program = startProgram(script, [], { ...variables, PORT: port }, log, root);
  await waitForAnswer(`${url}/api/health`, program, log).catch((error: unknown) => {
    program.kill('SIGKILL');
    throw error;
  });
  return { url, program, log };
};

/** Makes a checkout whose servers send messages of the next version, as after an upgrade. */
export const createNextVersion = (folder: string): string => {
  for (const name of ['lib', 'server', 'service']) cpSync(name, join(folder, name), { recursive: true });
  for (const name of ['.cache', '.next', 'node_modules', 'public', 'next.config.mjs', 'package.json'])
    symlinkSync(resolve(name), join(folder, name));
  for (const name of ['package-lock.json', 'tsconfig.json']) cpSync(name, join(folder, name));
  // The fast path answers with the handler of the route.
  cpSync('app', join(folder, 'app'), { recursive: true });
  const file = join(folder, 'lib/cluster/server/messages.ts');
  const source = readFileSync(file, 'utf8');
  const changed = source.replace('MESSAGE_VERSION = 1;', 'MESSAGE_VERSION = 2;');
  if (changed === source) throw new Error(`${file} has no version of messages to change.`);
  writeFileSync(file, changed);
  return folder;
};
