import { UNNAMED } from '@/lib/wire/fleet';
import type { UnitAnswer } from '@/lib/wire/unit';
import type { UnitRow } from './unit-row';

/**
 * One vehicle for its own page: what the single-unit endpoint says of it, with the status that the live
 * feed derived. Without an answer (yet) the live feed's word stands alone; without either the VIN does.
 */
export const toVehicleRow = (vin: string, said: UnitAnswer['unit'], live: UnitRow | null): UnitRow => {
  const base: UnitRow = live ?? {
    row: -1,
    identity: { ...UNNAMED, key: vin, vin },
    status: 'unknown',
    reason: said?.position ? 'oneFix' : 'noFix',
    position: null,
    fixAtMs: null,
    sinceMs: null,
    speedKph: null,
    headingDeg: null,
    flags: [],
  };
  if (said === null) return base;
  // A jump that the feed holds back is held back here too.
  const holdsBack = base.flags.includes('impossibleJump');
  const flags = new Set([...base.flags, ...said.flags.map(({ flag }) => flag)]);
  return {
    ...base,
    identity: said.identity,
    position: holdsBack ? base.position : said.position,
    fixAtMs: holdsBack ? base.fixAtMs : said.fixAtMs,
    flags: [...flags],
  };
};
