import { expect } from '@playwright/test';
import pg from 'pg';
import { MINUTE_MS } from '@/lib/base/time';

type Place = [lat: number, lng: number];

const PITTSBURGH: Place = [40.4406, -79.9959];
const WHEELING: Place = [40.064, -80.7209];
const ZANESVILLE: Place = [39.9403, -82.0132];
const CAMBRIDGE: Place = [40.0312, -81.5885];
const NEAR_ZANESVILLE: Place = [39.9562, -81.84];
const COLUMBUS: Place = [39.9612, -82.9988];

/** From one minute of the day to another a truck drives to a place, or stands where it is every ten minutes. */
type Part = { from: number; to: number; goes?: Place; begins?: Place };

/**
 * Silent from 8:22 to 9:04; from 14:06 to 14:50 the provider failed, from 17:00 to 17:40 the database was away, and from
 * 20:00 to 21:30 nothing ran.
 */
const PARTS: Part[] = [
  { from: -60, to: 312 },
  { from: 312, to: 372, goes: WHEELING },
  { from: 372, to: 442 },
  { from: 442, to: 502, goes: CAMBRIDGE },
  { from: 544, to: 556, begins: NEAR_ZANESVILLE, goes: ZANESVILLE },
  { from: 556, to: 786 },
  { from: 786, to: 846, goes: COLUMBUS },
  { from: 890, to: 1020 },
  { from: 1060, to: 1200 },
  { from: 1290, to: 1439 },
];

const OUTAGES: [from: number, to: number, state: string, problem: string | null][] = [
  [846, 888, 'failing', 'timeout'],
  [1020, 1060, 'lost', 'database'],
  [1200, 1290, 'notRunning', null],
];

interface Row {
  fixMs: number;
  at: Place;
}

const toRows = (dayMs: number): Row[] => {
  const rows: Row[] = [];
  let at = PITTSBURGH;
  for (const { from, to, begins, goes } of PARTS) {
    const begin = begins ?? at;
    for (let minute = from; minute <= to; minute += goes ? 1 : 10) {
      const along = (minute - from) / (to - from);
      // A receiver that stands wanders a little.
      const wander = goes ? 0 : (minute % 7) * 1e-5;
      if (goes) at = [begin[0] + (goes[0] - begin[0]) * along, begin[1] + (goes[1] - begin[1]) * along];
      rows.push({ fixMs: dayMs + minute * MINUTE_MS, at: [at[0] + wander, at[1]] });
    }
  }
  return rows;
};

/**
 * Inserts the recording of a unit's day, from a midnight on (Unix ms), into the database of an application that records:
 * its fixes come late, so that they are in the present hour's partition.
 */
export const insertRecordedDay = async (
  databaseUrl: string,
  { usdot, unit, dayMs }: { usdot: string; unit: string; dayMs: number },
): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const rows = toRows(dayMs);
    // The recorder makes it with its first poll.
    const partition = `linehaul.fixes_h${Math.floor(Date.now() / 3_600_000)}`;
    await expect
      .poll(async () => (await client.query('SELECT to_regclass($1) AS found', [partition])).rows[0].found)
      .not.toBeNull();
    await client.query(
      `INSERT INTO linehaul.fixes (usdot, unit, fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg)
       SELECT $1, $2, n.fix_ms, $3, n.lat_e5, n.lng_e5, false, -1, -1
       FROM unnest($4::int8[], $5::int4[], $6::int4[]) AS n (fix_ms, lat_e5, lng_e5) ON CONFLICT DO NOTHING`,
      [
        usdot,
        unit,
        Date.now(),
        rows.map(({ fixMs }) => fixMs),
        rows.map(({ at }) => Math.round(at[0] * 1e5)),
        rows.map(({ at }) => Math.round(at[1] * 1e5)),
      ],
    );
    let fromMs = dayMs - 180 * MINUTE_MS;
    for (const [from, to, state, problem] of [...OUTAGES, [1500, 1500, 'answered', null] as const]) {
      await client.query(
        `INSERT INTO linehaul.coverage (usdot, from_ms, to_ms, state, problem)
         VALUES ($1, $2, $3, 'answered', NULL), ($1, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
        [usdot, fromMs, dayMs + from * MINUTE_MS, dayMs + to * MINUTE_MS, state, problem],
      );
      fromMs = dayMs + to * MINUTE_MS;
    }
  } finally {
    await client.end();
  }
};
