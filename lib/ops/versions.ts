import 'server-only';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '@/package.json';

export interface Versions {
  app: string;
  /** Of the served build; null in development. */
  build: string | null;
  node: string;
}

const readBuildId = (): string | null => {
  const path = join(process.cwd(), '.next', 'BUILD_ID');
  if (process.env.NODE_ENV !== 'production' || !existsSync(path)) return null;
  return readFileSync(path, 'utf8').trim();
};

/**
 * Read once, at the start: later the build's file may belong to a newer build, which this process does not
 * serve.
 */
export const readVersions = (): Versions => ({
  app: version,
  build: readBuildId(),
  node: process.versions.node,
});
