import type { SourceControl } from '@/lib/fleet-source/server/change-source';

const refuse = (): never => {
  throw new Error('This test changes no source of fleets.');
};

/** For a runtime whose source of fleets stays. */
export const NO_SOURCES: SourceControl = {
  check: refuse,
  read: refuse,
  write: refuse,
  reload: refuse,
  removeDemo: refuse,
};
