import 'server-only';
import { AuthSecretError } from '@/lib/auth/server/secret';
import { readBuildId } from '@/lib/http/build-id';
import { readDoor } from '@/lib/http/door';
import { openGateway } from './gateway';
import { createLiveLane } from './live-fast-path';
import { watchRequests } from '@/lib/http/watch-requests';
import { EnvError } from '@/lib/config/env';
import { spareMemory } from '@/lib/ops/little-memory';
import { readLive } from '@/lib/http/live-route';
import { once } from '@/lib/ops/once';
import { readRuntime } from './runtime';

/** npm and a supervisor give us 5 s; what is not done by then can be done without. */
const SHUTDOWN_MS = 2000;
/** What open requests get to end in, once nothing else holds us. */
const GRACE_MS = 300;
/** What a shell reports of a process that a signal ended: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

const stopOn = (signal: keyof typeof EXIT_CODES): void => {
  process.once(signal, () => {
    const { close, log } = readRuntime();
    const exit = () => process.exit(EXIT_CODES[signal]);
    // Next.js exits by itself once every connection has ended, and a browser keeps its own for seconds.
    setTimeout(exit, SHUTDOWN_MS);
    close()
      .catch((error: unknown) => log.error({ err: error }, 'Shutting down went wrong.'))
      .finally(() => setTimeout(exit, GRACE_MS));
  });
};

/** Starts what runs beside the requests; ends the process with one message where the configuration is at fault. */
export const startRuntime = async (): Promise<void> => {
  spareMemory();
  try {
    const runtime = readRuntime();
    readBuildId();
    const isDevelopment = process.env.NODE_ENV === 'development';
    once('requests', () =>
      watchRequests({
        door: readDoor(),
        log: runtime.log,
        onAnswered: runtime.metrics?.noteAnswer,
        isDevelopment,
      }),
    );
    once('gateway', () =>
      openGateway({
        door: readDoor(),
        // In development Next.js loads the route anew with each change of it.
        answerFirst: isDevelopment ? null : createLiveLane(readLive, runtime.log),
        isForwardedHostTrusted: runtime.env.trustedProxies > 0,
        isDevelopment,
      }),
    );
    once('signals', () => {
      stopOn('SIGTERM');
      stopOn('SIGINT');
    });
    await runtime.start();
  } catch (error) {
    if (!(error instanceof EnvError || error instanceof AuthSecretError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};
