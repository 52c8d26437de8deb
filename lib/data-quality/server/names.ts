import 'server-only';
import { asc, eq } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { unitTags } from '@/lib/database/tables';
import { addTo } from '@/lib/base/maps';
import { fleetProviders } from '@/lib/recording/tables';
import type { QualityNames } from './data-quality';

/** Stands for the provider of days before the first one was noted. */
const NOT_NOTED = 'Not noted';

/** The providers of a fleet, and the tags of its units as they are now. */
export const readQualityNames = async (orm: Executor, usdot: string): Promise<QualityNames> => {
  const providers = await orm
    .select({ fromMs: fleetProviders.fromMs, provider: fleetProviders.provider })
    .from(fleetProviders)
    .where(eq(fleetProviders.usdot, usdot))
    .orderBy(asc(fleetProviders.fromMs));
  const rows = await orm
    .select({ unit: unitTags.unit, tag: unitTags.tag })
    .from(unitTags)
    .where(eq(unitTags.usdot, usdot));
  const tags = new Map<string, string[]>();
  for (const { unit, tag } of rows) addTo(tags, unit, tag);
  return {
    providerAt: (atMs) => providers.findLast(({ fromMs }) => fromMs <= atMs)?.provider ?? NOT_NOTED,
    tagsOf: (unit) => tags.get(unit) ?? [],
  };
};
