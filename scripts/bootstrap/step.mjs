import { spawn } from 'node:child_process';

/** A step that cannot be done; the message is for the person who started it. */
export class BootstrapError extends Error {
  name = 'BootstrapError';
}

/** The processes to end on a signal. */
const children = new Set();

/** A signal ends the running step and then this process by the same signal, so that npm reports the signal. */
export const endWithChildrenOn = (signals, tidy) => {
  for (const signal of signals) {
    process.once(signal, () => {
      for (const child of children) child.kill('SIGTERM');
      tidy();
      process.kill(process.pid, signal);
    });
  }
};

const lastLines = (text, count) => text.trim().split('\n').slice(-count).join('\n');

/**
 * Runs a program in silence.
 *
 * @throws BootstrapError with the last of its output when it fails
 */
export const run = async (command, args, { cwd, env = {} }) => {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  children.delete(child);
  if (ended !== 0) {
    throw new BootstrapError(`${[command, ...args].join(' ')} failed (${ended}).\n${lastLines(output, 40)}`);
  }
};

/** One line a step: what it does, while it does it, and how long that took. */
export const step = async (words, work) => {
  const startedAt = performance.now();
  process.stderr.write(`${words} … `);
  try {
    await work();
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
};
