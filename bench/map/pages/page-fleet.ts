import { UNNAMED, UNREAD_FEED, type Fleet } from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import { STATUSES, toFlagMask } from '@/lib/motion/status';
import type { Places } from './candidate';

/** Ten seconds, a fast poll: units glide that long. */
const STEP_S = 10;
const FLAGGED_EVERY = 97;
const [MOVING, STOPPED] = [STATUSES.indexOf('moving'), STATUSES.indexOf('stopped')];
const FLAG = toFlagMask(['clockFault']);

/** A fleet at these places, of all statuses and headings, one unit in a hundred flagged. */
export const createPageFleet = ({ latE5, lngE5 }: Places): Fleet => {
  const rows = latE5.length;
  const columns = createColumns(rows);
  columns.latE5.set(latE5);
  columns.lngE5.set(lngE5);
  for (let row = 0; row < rows; row++) {
    const dice = Math.imul(row, 2_654_435_761) >>> 0;
    columns.status[row] =
      dice % 20 === 0 ? (dice >>> 8) % STATUSES.length : dice % 3 === 0 ? STOPPED : MOVING;
    columns.headingDeg[row] = (dice >>> 4) % 360;
    columns.fixAtS[row] = 1_700_000_000;
    columns.flags[row] = row % FLAGGED_EVERY === 0 ? FLAG : 0;
  }
  const identities = Array.from({ length: rows }, (_, row) => ({
    ...UNNAMED,
    key: `unit:${row}`,
    truckNumber: String(row),
  }));
  return {
    usdot: '9000001',
    version: 'page.0',
    rows,
    identities,
    columns,
    feed: { ...UNREAD_FEED, fetchedAtMs: 0, activeUnits: rows },
    account: null,
  };
};

/** The fleet a poll later: the columns of motion are new arrays, as a poll makes them, and the others are shared. */
export const moveFleet = (fleet: Fleet, { latE5, lngE5 }: Places): Fleet => {
  const { columns } = fleet;
  const moved = {
    latE5: latE5.slice(),
    lngE5: lngE5.slice(),
    fixAtS: columns.fixAtS.map((atS) => atS + STEP_S),
    speedKph: columns.speedKph.slice(),
    headingDeg: columns.headingDeg.slice(),
  };
  return { ...fleet, columns: { ...columns, ...moved } };
};
