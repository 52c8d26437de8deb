import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, listImports, listPackages } from './files.mjs';

/** What runs from its source beside the bundled server: the polling thread, the command line, a container's start. */
const ENTRIES = [
  'lib/live/worker/start.mjs',
  'scripts/service.ts',
  'server/start/standalone.mjs',
  'server/start/healthcheck.mjs',
];
/** Read by their place in the working folder. */
const READ = ['lib/postgres/migrations', 'service/store/migrations', 'tsconfig.json'];
/** The loader of TypeScript, which is named on command lines. */
const NAMED = ['tsx'];

const readLock = (root) => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Where Node would find a package that is asked for from `folder`; null where it is not installed. */
const findPackage = (root, packages, folder, name) => {
  for (let from = folder; ; from = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0))) {
    const path = `${from}${from && '/'}node_modules/${name}`;
    if (packages[path]) return existsSync(join(root, path)) ? path : null;
    if (from === '') return null;
  }
};

/** The folders of the named packages and of all that they depend on. */
const listInstalled = (root, names) => {
  const packages = readLock(root);
  const found = new Set();
  const visit = (folder, name) => {
    const path = findPackage(root, packages, folder, name);
    if (path === null || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(path, needed);
  };
  for (const name of names) visit('', name);
  return [...found].sort();
};

/** Our own files that run from their source, and those that they read. */
export const listSources = (root) =>
  [...new Set([...ENTRIES.flatMap((entry) => listImports(root, entry)), ...listFiles(root, READ)])].sort();

/** The folders of the packages that those files run with. */
export const listSourcePackages = (root) => {
  const names = listSources(root)
    .filter((file) => /\.m?ts$|\.mjs$/.test(file))
    .flatMap((file) => listPackages(readFileSync(join(root, file), 'utf8')));
  return listInstalled(root, new Set([...NAMED, ...names]));
};
