import 'server-only';
import type { Executor } from '@/lib/database/database';
import type { ApiKey, IssuedKey, KeyChange, NewKey, ServedCarrier } from '../schema';

/** The creator's user id; null if unknown. */
export interface Made {
  madeById: string | null;
}
export type Creator = Made & { createdBy: string };

export type KeyRecord = ApiKey & Made & { replaced: (NonNullable<ApiKey['replaced']> & Made) | null };

/** What managers administer of the embedded tracking service's keys; lib/devices/server/service-admin.ts has the rest. */
export interface KeyAdmin {
  carriers: { list: () => Promise<ServedCarrier[]> };
  /** API keys, without the service's own; the oldest first. */
  keys: {
    list: (usdot?: string, tx?: Executor) => Promise<KeyRecord[]>;
    create: (key: NewKey & Creator, tx: Executor) => Promise<IssuedKey>;
    /** False if there is no such key in use; as for the following. */
    change: (id: string, change: KeyChange, tx: Executor) => Promise<boolean>;
    /** New secrets; the previous ones stay valid for `overlapMs`. Null if there is no such key in use. */
    rotate: (
      id: string,
      overlapMs: number,
      madeById: string | null,
      tx: Executor,
    ) => Promise<IssuedKey | null>;
    /** Ends the previous pair of secrets, and keeps the key. */
    endReplaced: (id: string, tx: Executor) => Promise<boolean>;
    revoke: (id: string, tx: Executor) => Promise<boolean>;
  };
  inTransaction: <T>(work: (tx: Executor) => Promise<T>) => Promise<T>;
}
