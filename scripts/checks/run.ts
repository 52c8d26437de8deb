import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

export interface Run {
  exitCode: number | null;
  output: string;
}

const running = new Set<ChildProcess>();

/** Ends the programs under way as a Ctrl-C would, which every one of them tidies up after. */
export const interruptRunning = (): void => {
  for (const child of running) child.kill('SIGINT');
};

/**
 * Runs a program of node_modules/.bin to its end.
 *
 * @param shown whether its output goes to the console as it comes, instead of into `output`
 */
export const runProgram = async (
  root: string,
  [name = '', ...args]: string[],
  { shown = false, env = {} }: { shown?: boolean; env?: Record<string, string> } = {},
): Promise<Run> => {
  const child = spawn(join(root, 'node_modules', '.bin', name), args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exitCode = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(null);
    });
    child.on('close', (code) => resolve(code));
  });
  running.delete(child);
  return { exitCode, output };
};
