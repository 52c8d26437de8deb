import { fold } from '@/lib/base/text/text';
import { unitName } from '@/lib/view/unit-name';
import type { Fleet } from '@/lib/wire/fleet';

export const UNKNOWN_TRUCK = 'No truck of this fleet has this number.';

/** The key of the truck that has a name; null where none has it, or more than one. The truck that has the load keeps its name, also where the fleet does not show it. */
export const truckKeyOf = (
  identities: Fleet['identities'],
  name: string,
  held: { key: string; name: string } | null,
): string | null => {
  const folded = fold(name.trim());
  if (held !== null && fold(held.name) === folded) return held.key;
  const keys = identities.flatMap((each) => (each && fold(unitName(each)) === folded ? each.key : []));
  return keys.length === 1 ? keys[0]! : null;
};
