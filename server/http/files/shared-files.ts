import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { repeat, systemClock } from '@/lib/base/clock';
import type { ClusterConnection } from '@/lib/cluster/server/connection';
import { toKey } from '@/lib/base/sealed';
import type { Log } from '@/lib/base/log';

/** Longer than an upgrade takes, and than a page of the build before stays open without a reload. */
const KEPT_MS = 24 * 3_600_000;
const KEEP_EVERY_MS = 6 * 3_600_000;

const PURPOSE = 'linehaul shared files';
const HASH_BYTES = 32;

/** Without the version of messages: each build finds the files of the others. */
const toName = (path: string): string => `{linehaul}:hashed-file:${path}`;

const EXTEND = "return redis.call('PEXPIRE', KEYS[1], ARGV[1])";
const STORE = "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])";

/** The files of the builds of all servers, by path, in Brotli. */
export interface SharedFiles {
  /** Shares the files of this server's build from now on: where the copy of each is on the disk, by path. */
  share: (copies: ReadonlyMap<string, string>) => void;
  /** A file of any server's build; null where there is none, and while Redis is away. */
  read: (path: string) => Promise<Buffer | null>;
}

/**
 * Shares the files of each build through Redis: during an upgrade a balancer sends the requests for the scripts of a page to
 * servers of both builds, and a page whose script is missing never starts. Each file comes with a hash of its path and bytes
 * under the secret that all servers have, so that none is sent that only Redis vouches for.
 */
export const createSharedFiles = (
  cluster: Pick<ClusterConnection, 'eval' | 'readBytes' | 'onReturn'>,
  { secret, log }: { secret: string; log: Pick<Log, 'debug' | 'warn'> },
): SharedFiles => {
  const key = toKey(secret, PURPOSE);
  const hash = (path: string, bytes: Buffer): Buffer =>
    createHmac('sha256', key).update(`${path}\0`).update(bytes).digest();

  const read = async (path: string): Promise<Buffer | null> => {
    const stored = await cluster.readBytes(toName(path)).catch(() => null);
    if (stored === null) return null;
    const [found, bytes] = [stored.subarray(0, HASH_BYTES), stored.subarray(HASH_BYTES)];
    if (found.length === HASH_BYTES && timingSafeEqual(found, hash(path, bytes))) return bytes;
    log.warn({ path }, 'A file in Redis is not as a server of this installation stored it, and is not sent.');
    return null;
  };

  const store = async (copies: ReadonlyMap<string, string>): Promise<void> => {
    try {
      for (const [path, copy] of copies) {
        const keys = [toName(path)];
        if ((await cluster.eval(EXTEND, keys, [String(KEPT_MS)])) === 1) continue;
        const bytes = await readFile(copy);
        await cluster.eval(STORE, keys, [Buffer.concat([hash(path, bytes), bytes]), String(KEPT_MS)]);
      }
    } catch (error) {
      log.debug({ reason: String(error) }, 'The files of this build are shared once Redis answers.');
    }
  };
  return {
    share: (copies) => {
      repeat(systemClock, KEEP_EVERY_MS, () => store(copies));
      // Redis may have lost its data.
      cluster.onReturn(() => void store(copies));
    },
    read,
  };
};
