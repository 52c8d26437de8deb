import type { Choice } from '@/components/ui/choices-field';
import type { ChosenUnits } from '@/lib/reports/chosen';
import { createMatcher } from '@/lib/view/search';
import { unitTitle } from '@/lib/view/unit-name';
import type { Fleet } from '@/lib/wire/fleet';

/** As many are offered; typing finds the others. */
export const MOST_FOUND = 30;

/** The first units that a text finds, by the search of the list: their keys and names. */
export const searchUnits =
  (fleet: Fleet | null) =>
  (text: string): Choice[] => {
    const found: Choice[] = [];
    const matches = fleet === null ? null : createMatcher(fleet, text);
    for (const [row, identity] of fleet?.identities.entries() ?? []) {
      if (identity === null || (matches !== null && !matches(row))) continue;
      found.push({ value: identity.key, label: unitTitle(identity) });
      if (found.length === MOST_FOUND) break;
    }
    return found;
  };

/** "116 (Freightliner)", "Tag: flatbeds"; null for all trucks. */
export const chosenText = (fleet: Fleet | null, { unit, tag }: ChosenUnits): string | null => {
  if (unit === null) return tag === null ? null : `Tag: ${tag}`;
  const identity = fleet?.identities.find((each) => each?.key === unit);
  return identity ? unitTitle(identity) : unit;
};
