import 'server-only';
import { and, inArray } from 'drizzle-orm';
import type { Viewer } from '@/lib/base/viewer';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { unitTags } from '@/lib/database/tables';
import { isSeenUnit } from '@/lib/access/unit-limit';

interface NamedTags {
  /** The field of the input. */
  field: string;
  tags: readonly string[];
  /** The tags that it named before, which are kept also where their last truck lost them. */
  before?: readonly string[];
}

/**
 * Requires that trucks have the tags which an input names: a tag exists by its trucks. `usdots`: the fleets; null: all.
 * @throws AppError 'bad-input' for a tag that no truck has which the viewer sees
 */
export const requireKnownTags = async (
  tx: Executor,
  usdots: readonly string[] | null,
  viewer: Pick<Viewer, 'tags'>,
  { field, tags, before = [] }: NamedTags,
): Promise<void> => {
  const added = tags.filter((tag) => !before.includes(tag));
  if (added.length === 0) return;
  const rows = await tx
    .selectDistinct({ tag: unitTags.tag })
    .from(unitTags)
    .where(
      and(
        inArray(unitTags.tag, added),
        usdots === null ? undefined : inArray(unitTags.usdot, usdots),
        isSeenUnit(viewer, unitTags.usdot, unitTags.unit),
      ),
    );
  const known = new Set(rows.map(({ tag }) => tag));
  const unknown = added.find((tag) => !known.has(tag));
  if (unknown === undefined) return;
  const message = `No truck has the tag ${unknown}. Give it to a truck first, or choose another tag.`;
  throw new AppError('bad-input', { detail: message, faults: [{ field, message }] });
};
