import { list, object, text } from '@/lib/base/shape';

export const LONGEST_TAG = 40;
/** The most units that one change names. */
export const MOST_UNITS = 100_000;

/** GET /api/fleets/:usdot/tags: the tags of a fleet, each with the keys of its units. */
export const tagsSchema = object({ tags: list(object({ tag: text, units: list(text) })) });

/** POST /api/fleets/:usdot/tags: a change of the units of a tag, of its name, or its end. */
export type TagChange =
  | { change: 'add' | 'remove'; tag: string; units: string[] }
  | { change: 'rename'; tag: string; to: string }
  | { change: 'delete'; tag: string };
