import 'server-only';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import next from 'next';
import type { UpgradeListener } from './http';

export interface NextMount {
  handle: RequestListener;
  /** Of the development server; null in production. */
  upgrade: UpgradeListener | null;
  close: () => Promise<void>;
}

/** Loads the built application, or with `dev` the development server, to be mounted in our HTTP server. */
export const openNext = async (options: {
  dev: boolean;
  dir: string;
  hostname: string;
  port: number;
}): Promise<NextMount> => {
  // Next.js attaches its WebSocket to the server that it is given: this one never listens, so that ours
  // decides.
  const upgrades = createServer();
  const app = next({ ...options, httpServer: upgrades });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: (request, response) => void handle(request, response),
    upgrade: options.dev ? (...upgrade) => void upgrades.emit('upgrade', ...upgrade) : null,
    close: () => app.close(),
  };
};
