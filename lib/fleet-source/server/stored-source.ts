import 'server-only';
import type { ChosenSource } from '@/lib/config/env';
import type { Executor } from '@/lib/database/database';
import {
  deleteSetting,
  readSetting,
  writeSetting,
  type SettingRecord,
} from '@/lib/database/setting-repository';
import { z } from '@/lib/base/zod';
import { seal, unseal } from '@/lib/base/sealed';

const NAME = 'fleet-source';

/** The value of the setting. The provider's secrets are sealed with the secret that signs sessions. */
const storedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('own'),
    carrier: z.object({ companyName: z.string(), usdot: z.string(), mcNumber: z.string().nullable() }),
  }),
  z.object({
    kind: z.literal('provider'),
    baseUrl: z.string(),
    usdot: z.string().nullable(),
    sealed: z.string(),
  }),
]);

const secretsSchema = z.object({ apiKey: z.string(), providerToken: z.string() });
/** In place of secrets that cannot be decrypted, because a header cannot be empty. */
const UNREADABLE = { apiKey: 'unreadable', providerToken: 'unreadable' };

/** The source that managers chose; null: the demo. */
export interface StoredSource {
  source: ChosenSource;
  /** Whether a provider's secrets could be decrypted; otherwise `source` has placeholders, which the provider refuses. */
  isReadable: boolean;
  changed: Pick<SettingRecord, 'changedBy' | 'changedAtMs'> | null;
}

const unsealSecrets = (sealed: string, secret: string): z.infer<typeof secretsSchema> | null => {
  try {
    return secretsSchema.parse(JSON.parse(unseal(sealed, secret)));
  } catch {
    // Sealed with another secret: `isReadable` is false, and a manager has to enter them again.
    return null;
  }
};

/** @param secret the one that signs sessions */
export const readStoredSource = async (orm: Executor, secret: string): Promise<StoredSource> => {
  const record = await readSetting(orm, NAME);
  if (record === null) return { source: null, isReadable: true, changed: null };
  const stored = storedSchema.parse(record.value);
  if (stored.kind === 'own') return { source: stored, isReadable: true, changed: record };
  const { kind, baseUrl, usdot, sealed } = stored;
  const secrets = unsealSecrets(sealed, secret);
  const provider = { baseUrl, usdot, ...(secrets ?? UNREADABLE) };
  return { source: { kind, provider }, isReadable: secrets !== null, changed: record };
};

const toStored = (source: NonNullable<ChosenSource>, secret: string): z.infer<typeof storedSchema> => {
  if (source.kind === 'own') return source;
  const { baseUrl, usdot, ...secrets } = source.provider;
  return { kind: 'provider', baseUrl, usdot, sealed: seal(JSON.stringify(secrets), secret) };
};

/** Stores the source; null, the demo, removes what was stored. */
export const writeStoredSource = async (
  tx: Executor,
  source: ChosenSource,
  { secret, ...changed }: { secret: string; changedBy: string; changedAtMs: number },
): Promise<void> => {
  if (source === null) return deleteSetting(tx, NAME);
  await writeSetting(tx, NAME, { value: toStored(source, secret), ...changed });
};
