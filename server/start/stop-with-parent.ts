import { spawn } from 'node:child_process';

/** Reads a line that comes only at a clean end: a closed pipe means that this process is gone. */
const WATCH = 'read -r _ || kill -INT "$0"';

/** Ends another process by SIGINT when this one is killed, through a waiting shell. Returns a function that cancels this. */
export const stopWithParent = (pid: number): (() => void) => {
  const watcher = spawn('/bin/sh', ['-c', WATCH, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', (error) => {
    process.stderr.write(`PostgreSQL will outlive this process if it is killed: ${error.message}\n`);
  });
  // A watcher that has ended reads nothing more.
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return () => void watcher.stdin.end('\n');
};
