import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BootstrapError, run, step } from './step.mjs';

/** The headless shell first: it starts faster and takes a sixth less processor time than a browser without a window. */
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Programs that tests start, by the name of the note, with their package and where Debian and Homebrew put them. */
const PROGRAMS = {
  pgbouncer: {
    title: 'PgBouncer',
    packageName: 'pgbouncer',
    paths: ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'],
  },
  // The services of this package and the next are not started where no service manager runs; the tests start their own.
  'redis-server': {
    title: 'redis-server',
    packageName: 'redis-server',
    paths: ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'],
  },
  haproxy: {
    title: 'HAProxy',
    packageName: 'haproxy',
    paths: ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'],
  },
  firefox: {
    title: 'Firefox',
    packageName: 'firefox-esr',
    paths: ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
  },
  'webkit-driver': {
    title: 'WebKitGTK with its driver',
    packageName: 'webkit2gtk-driver',
    paths: ['/usr/bin/WebKitWebDriver', '/usr/local/bin/WebKitWebDriver'],
  },
  'webkit-browser': {
    title: 'WebKitGTK with its driver',
    packageName: 'webkit2gtk-driver',
    // In the folder of the architecture.
    paths: ['x86_64', 'aarch64'].map((name) => `/usr/lib/${name}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  },
  xvfb: { title: 'Xvfb', packageName: 'xvfb', paths: ['/usr/bin/Xvfb', '/usr/local/bin/Xvfb'] },
};

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const findBrowser = (root) => {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new BootstrapError(`CHROMIUM_PATH is ${named}, where there is no program to run.`);
  }
  const require = createRequire(createRequire(join(root, 'package.json')).resolve('@playwright/test'));
  return [require('playwright-core').chromium.executablePath(), ...INSTALLED].find(isExecutable);
};

const canInstall = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

const installPackage = async (root, name) => {
  const options = { cwd: root, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  const apt = (...args) => run('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', ...args], options);
  await apt('update');
  await apt('install', '--no-install-recommends', name);
};

/** Notes where a program is, for those who start it. */
const note = (root, name, path) => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(join(root, '.cache', name), path);
};

/** Finds a Chromium for the end-to-end tests, bench:map and bench:load, or installs one where it may, and notes it in .cache/browser. */
export const provideBrowser = async (root) => {
  if (!findBrowser(root) && canInstall())
    await step('Installing Chromium', () => installPackage(root, 'chromium-headless-shell'));
  const browser = findBrowser(root);
  if (!browser) {
    throw new BootstrapError(
      'The end-to-end tests, bench:map and bench:load need Chromium, and there is none. Install one with ' +
        '"npx playwright install chromium", or set CHROMIUM_PATH to one that you have. ' +
        '"npx vitest run" runs the tests that need none.',
    );
  }
  note(root, 'browser', browser);
};

const provideProgram = async (root, name, { title, paths, packageName }) => {
  const find = () => paths.find(isExecutable);
  if (!find() && canInstall()) await step(`Installing ${title}`, () => installPackage(root, packageName));
  const found = find();
  if (!found)
    throw new BootstrapError(
      `The tests need ${title}, and it is at none of ${paths.join(', ')}. Install it with the packages of your system.`,
    );
  note(root, name, found);
};

/** Finds each program that tests start, or installs it where it may, and notes it in .cache/. */
export const provideTestPrograms = async (root) => {
  for (const [name, program] of Object.entries(PROGRAMS)) await provideProgram(root, name, program);
};
