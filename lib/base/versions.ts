import 'server-only';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '@/package.json';

export interface Versions {
  app: string;
  /** The id of the served build; null in development. */
  build: string | null;
  node: string;
}

const readBuilt = (name: string): string | null => {
  const path = join(process.cwd(), '.next', name);
  return process.env.NODE_ENV === 'production' && existsSync(path) ? readFileSync(path, 'utf8') : null;
};

/** Read at the start: later the build's files may belong to a newer build, which this process does not serve. */
export const readVersions = (): Versions => ({
  app: version,
  build: readBuilt('BUILD_ID')?.trim() ?? null,
  node: process.versions.node,
});

/** The script of the service worker that belongs to the served build; null in development. */
export const readServiceWorker = (): string | null => readBuilt('service-worker.js');
