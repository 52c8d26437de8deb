import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What the last stage of a Dockerfile says of the image that it makes, as far as we use its language. */
export interface Image {
  /** From the checkout's root, and to the image's working folder. */
  copies: { from: string; to: string }[];
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

/** @throws Error for an instruction that this test would not carry out */
const requireKnown = (lines: string[]): void => {
  const known =
    /^(FROM|LABEL|WORKDIR|ENV|COPY --from=build|USER|EXPOSE|STOPSIGNAL|HEALTHCHECK .* CMD \[|CMD \[)/;
  const unknown = lines.find((line) => !known.test(line));
  if (unknown !== undefined) throw new Error(`The test of the image does not know: ${unknown}`);
};

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
    const [, from = '', to = ''] = text.split(/\s+/);
    return { from: relative(workdir, from), to };
  });
  const env = readArguments(stage, 'ENV').flatMap((text) =>
    text.split(/\s+/).map((pair) => pair.split('=', 2)),
  );
  return {
    copies,
    env: Object.fromEntries(env) as Record<string, string>,
    user: requireOne(stage, 'USER'),
    command: JSON.parse(requireOne(stage, 'CMD')) as string[],
    healthcheck: JSON.parse(requireOne(stage, 'HEALTHCHECK').replace(/^.* CMD /, '')) as string[],
    stopSignal: requireOne(stage, 'STOPSIGNAL'),
  };
};

/** Puts into `folder` what the image would hold of ours, and takes everybody's right to change any of it. */
export const assembleImage = (folder: string): Image => {
  const image = readImage(readFileSync('Dockerfile', 'utf8'));
  for (const { from, to } of image.copies) {
    cpSync(from, join(folder, to), { recursive: true, verbatimSymlinks: true });
  }
  const { status, stderr } = spawnSync('chmod', ['-R', 'a-w,a+rX', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${folder} cannot be made read-only: ${stderr}`);
  return image;
};

/** Takes an assembled image away again. */
export const removeImage = (folder: string): void => {
  spawnSync('chmod', ['-R', 'u+w', folder]);
  spawnSync('rm', ['-r', folder]);
};
