import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';

export interface Run {
  exitCode: number | null;
  output: string;
}

export interface RunOptions {
  /** Whether its output goes to the console as it comes, instead of into `output`. */
  shown?: boolean;
  env?: Record<string, string>;
  cwd?: string;
}

const running = new Set<ChildProcess>();

/** Ends the programs under way as a Ctrl-C would, so that each cleans up. */
export const interruptRunning = (): void => {
  for (const child of running) child.kill('SIGINT');
};

/** Runs a program of node_modules/.bin, or this Node.js, to its end. */
export const runProgram = async (
  root: string,
  [name = '', ...args]: string[],
  { shown = false, env = {}, cwd = root }: RunOptions = {},
): Promise<Run> => {
  const path = [join(root, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH];
  const child = spawn(name, args, {
    cwd,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', PATH: path.join(delimiter), ...env },
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
