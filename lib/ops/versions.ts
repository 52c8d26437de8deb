import 'server-only';
import { version } from '@/package.json';
import { readBuildId } from '../http/build-id';

export interface Versions {
  app: string;
  /** Of this very build; null while developing. */
  build: string | null;
  node: string;
}

export const readVersions = (): Versions => ({
  app: version,
  build: readBuildId(),
  node: process.versions.node,
});
