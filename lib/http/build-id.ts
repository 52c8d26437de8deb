import 'server-only';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../ops/once';

/**
 * The build that this process runs; null in development, where there is none. It is read once and at the start: later
 * the file may be that of a newer build, which this process does not serve.
 */
export const readBuildId = (): string | null =>
  once('build-id', () => {
    const path = join(/* turbopackIgnore: true */ process.cwd(), '.next', 'BUILD_ID');
    if (process.env.NODE_ENV !== 'production' || !existsSync(path)) return null;
    return readFileSync(path, 'utf8').trim();
  });
