/**
 * Makes a checkout ready, as far as it is not: packages; with --data the generated files of public/; with
 * --build those and the production build; with --browser a Chromium; with --test PgBouncer, Redis, HAProxy, Firefox and
 * WebKitGTK, too. It depends on nothing but Node.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LockHeldError, acquireLock } from '../lib/base/process/lock.mjs';
import { buildApplication, buildData } from './bootstrap/build.mjs';
import { installPackages, requireNode } from './bootstrap/install.mjs';
import { provideBrowser, provideTestPrograms } from './bootstrap/programs.mjs';
import { BootstrapError, endWithChildrenOn } from './bootstrap/step.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wants = (flag) => process.argv.includes(flag);

const waitForLock = async () => {
  const path = join(root, '.cache', 'bootstrap.lock');
  mkdirSync(join(root, '.cache'), { recursive: true });
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      return acquireLock(path, 'preparing');
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
      if (!isAnnounced)
        process.stderr.write(`Waiting for process ${error.pid}, which prepares this checkout\n`);
      await sleep(200);
    }
  }
};

const prepare = async () => {
  requireNode(root);
  await installPackages(root);
  if (wants('--data') || wants('--build')) await buildData(root);
  if (wants('--build')) await buildApplication(root);
  if (wants('--browser') || wants('--test')) await provideBrowser(root);
  if (wants('--test')) await provideTestPrograms(root);
};

// A reader that goes away (npm start 2>&1 | head) does not stop the preparation.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  const lock = await waitForLock();
  endWithChildrenOn(['SIGINT', 'SIGTERM', 'SIGHUP'], lock.release);
  await prepare().finally(lock.release);
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
