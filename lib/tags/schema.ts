import { list, nullable, object, text } from '@/lib/base/shape';
import type { FreeTags } from '@/lib/view/free';

export const LONGEST_TAG = 40;
/** The most units that one change names. */
export const MOST_UNITS = 100_000;

/** The most tags of each kind that say which units are free. */
export const MOST_FREE_TAGS = 20;

/** GET /api/fleets/:usdot/tags: the tags of a fleet, each with the keys of its units; which of them say that a unit is free, null: none do. */
export const tagsSchema = object({
  tags: list(object({ tag: text, units: list(text) })),
  free: nullable(object({ has: list(text), not: list(text) })),
});

/** POST /api/fleets/:usdot/tags: a change of the units of a tag, of its name, or its end, or of what makes a unit free. */
export type TagChange =
  | { change: 'add' | 'remove'; tag: string; units: string[] }
  | { change: 'rename'; tag: string; to: string }
  | { change: 'delete'; tag: string }
  | ({ change: 'free' } & FreeTags);
