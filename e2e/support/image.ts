import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The instructions of a Dockerfile's last stage, as far as our Dockerfile uses the language. */
export interface Image {
  /** From the checkout's root or that of the packages, and to the image's working folder. */
  copies: { stage: string; from: string; to: string }[];
  /** The commands that install the packages. */
  installs: string[];
  env: Record<string, string>;
  user: string;
  command: string[];
  healthcheck: string[];
  stopSignal: string;
}

const readArguments = (lines: string[], name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

const requireOne = (lines: string[], name: string): string => {
  const [found, ...more] = readArguments(lines, name);
  if (found === undefined || more.length > 0) {
    throw new Error(`The last stage has ${more.length + (found === undefined ? 0 : 1)} lines of ${name}.`);
  }
  return found;
};

/**
 * The folder in which a volume is mounted is made by the image alone, because a test may not write outside its own.
 *
 * @throws Error for an instruction that this test cannot carry out
 */
const requireKnown = (lines: string[]): void => {
  const known =
    /^(FROM|LABEL|WORKDIR|ENV|COPY --from=(?:build|packages)|RUN install --directory --owner=1000 --group=1000 |USER|EXPOSE|STOPSIGNAL|HEALTHCHECK .* CMD \[|CMD \[)/;
  const unknown = lines.find((line) => !known.test(line));
  if (unknown !== undefined) throw new Error(`The test of the image does not know: ${unknown}`);
};

/** Leaves out the tests, by .dockerignore, and the files that the build removes. */
const isInImage = (path: string): boolean => !/[.]test[.]|^[.]next\/(?:cache|diagnostics|dev)\b/.test(path);

const readImage = (dockerfile: string): Image => {
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  requireKnown(stage);
  const workdir = requireOne(stage, 'WORKDIR');
  const copies = readArguments(stage, 'COPY').map((text) => {
    const [stage = '', from = '', to = ''] = text.split(/\s+/);
    return { stage, from: relative(workdir, from), to };
  });
  const env = readArguments(stage, 'ENV').flatMap((text) =>
    text.split(/\s+/).map((pair) => pair.split('=', 2)),
  );
  const packages = lines.findIndex((line) => / AS packages$/.test(line));
  return {
    copies,
    installs: readArguments(lines.slice(packages, lines.lastIndexOf(stage[0]!)), 'RUN'),
    env: Object.fromEntries(env) as Record<string, string>,
    user: requireOne(stage, 'USER'),
    command: JSON.parse(requireOne(stage, 'CMD')) as string[],
    healthcheck: JSON.parse(requireOne(stage, 'HEALTHCHECK').replace(/^.* CMD /, '')) as string[],
    stopSignal: requireOne(stage, 'STOPSIGNAL'),
  };
};

const run = (program: string, args: string[], cwd: string): void => {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
};

/** Copies our part of the image's files into `folder` and makes all of it read-only. */
export const assembleImage = (folder: string): Image => {
  const image = readImage(readFileSync('Dockerfile', 'utf8'));
  for (const name of ['package.json', 'package-lock.json']) cpSync(name, join(folder, name));
  for (const command of image.installs) run('sh', ['-c', command], folder);
  for (const { stage, from, to } of image.copies) {
    if (stage === '--from=packages') continue;
    const filter = (path: string) => isInImage(path);
    cpSync(from, join(folder, to), { recursive: true, verbatimSymlinks: true, filter });
  }
  rmSync(join(folder, 'package-lock.json'));
  run('chmod', ['-R', 'a-w,a+rX', folder], folder);
  return image;
};

/** Removes an assembled image. */
export const removeImage = (folder: string): void => {
  spawnSync('chmod', ['-R', 'u+w', folder]);
  spawnSync('rm', ['-r', folder]);
};
