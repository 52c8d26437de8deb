import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles, listImports } from './files.mjs';
import { run, step } from './step.mjs';

const isFilled = (folder) => existsSync(folder) && readdirSync(folder).length > 0;

/** Runs every scripts/data/build-NAME.ts whose output, public/NAME/, is missing or older than its inputs. */
export const buildData = async (root) => {
  const scripts = readdirSync(join(root, 'scripts', 'data')).filter((name) =>
    /^build-.*\.(ts|mjs)$/.test(name),
  );
  for (const script of scripts.sort()) {
    const entry = join('scripts', 'data', script);
    const name = script.replace(/^build-|\.\w+$/g, '');
    const stamp = join(root, '.cache', `data-${name}`);
    const hash = hashFiles(root, [...listImports(root, entry), 'package-lock.json']);
    const isCurrent =
      isFilled(join(root, 'public', name)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
    if (isCurrent) continue;
    rmSync(stamp, { force: true });
    await step(`Preparing ${name}`, () => run(process.execPath, ['--import', 'tsx', entry], { cwd: root }));
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(stamp, hash);
  }
};
