import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { seal, unseal } from '@/lib/base/sealed';
import type { Executor } from '@/lib/database/database';
import { pushSubscriptions } from '../tables';
import { lockSettings, readSetting, writeSetting } from '@/lib/database/setting-repository';
import { z } from '@/lib/base/zod';

/** The keys by which push services know this server (RFC 8292), base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const NAME = 'vapid-keys';
const PURPOSE = 'linehaul vapid';
const storedSchema = z.object({ publicKey: z.string(), sealedPrivateKey: z.string() });

/** Null: sealed with another secret. */
const unsealKeys = (value: unknown, secret: string): VapidKeys | null => {
  const { publicKey, sealedPrivateKey } = storedSchema.parse(value);
  try {
    return { publicKey, privateKey: unseal(sealedPrivateKey, secret, PURPOSE) };
  } catch {
    // A new AUTH_SECRET: browsers have to subscribe again.
    return null;
  }
};

/**
 * The keys of this installation, which are made once. With another AUTH_SECRET there are new ones, and no browser is
 * subscribed to these.
 */
export const readOrCreateVapidKeys = (
  orm: Executor,
  { secret, clock }: { secret: string; clock: Pick<Clock, 'nowMs'> },
): Promise<VapidKeys> =>
  orm.transaction(async (tx) => {
    await lockSettings(tx);
    const stored = await readSetting(tx, NAME);
    const known = stored === null ? null : unsealKeys(stored.value, secret);
    if (known !== null) return known;
    const { default: webPush } = await import('web-push');
    const keys = webPush.generateVAPIDKeys();
    const { publicKey, privateKey } = keys;
    await tx.delete(pushSubscriptions);
    await writeSetting(tx, NAME, {
      value: { publicKey, sealedPrivateKey: seal(privateKey, secret, PURPOSE) },
      changedBy: 'server',
      changedAtMs: clock.nowMs(),
    });
    return keys;
  });
