import 'server-only';
import type { Fleet } from '@/lib/wire/fleet';

/** A fleet at one version; nothing changes it once it is published. */
export interface Snapshot extends Fleet {
  /** When the next version is expected, by `elapsed`: a clock that is set moves no appointment. */
  nextDueAtMs: number;
}
