import pg from 'pg';
import { expect } from '@playwright/test';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { sendAsPage } from './session';
import { addSite, type FleetOf } from './sites';

const STAY_MIN = 200;

/** A truck that came to a place, stayed for 200 minutes and left half an hour ago. */
interface Stay {
  siteId: number;
  unit: string;
  at: { lat: number; lng: number };
}

/** Records a stay with a fix every five minutes. */
const recordStay = async ({ usdot, application }: FleetOf, { siteId, unit, at }: Stay): Promise<void> => {
  const arrivedMs = Math.floor(Date.now() / MINUTE_MS - STAY_MIN - 30) * MINUTE_MS;
  const leftMs = arrivedMs + STAY_MIN * MINUTE_MS;
  const client = new pg.Client(application.databaseUrl);
  await client.connect();
  try {
    // The application makes those of hours that it records.
    for (let hour = Math.floor(arrivedMs / HOUR_MS) - 1; hour <= Math.floor(Date.now() / HOUR_MS); hour++)
      await client.query(
        `create table if not exists linehaul.fixes_h${hour} partition of linehaul.fixes
           for values from (${hour * HOUR_MS}) to (${(hour + 1) * HOUR_MS})`,
      );
    for (let min = -10; min <= STAY_MIN + 10; min += 5) {
      const fixMs = arrivedMs + min * MINUTE_MS;
      const north = min < 0 || min > STAY_MIN ? 0.1 : 0;
      await client.query(
        `insert into linehaul.fixes (usdot, unit, fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt)
         values ($1, $2, $3, $4, $5, $6, false)`,
        [usdot, unit, fixMs, fixMs + 5000, Math.round((at.lat + north) * 1e5), Math.round(at.lng * 1e5)],
      );
    }
    await client.query(
      `insert into linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms, left_ms, left_by_ms)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [usdot, siteId, unit, arrivedMs - 5 * MINUTE_MS, arrivedMs, leftMs, leftMs + 5 * MINUTE_MS],
    );
  } finally {
    await client.end();
  }
};

/** A stay of a truck at a new site, recorded, which costs $75.00 by the terms of the site. Returns the site's id. */
export const makeStay = async (
  fleet: FleetOf,
  { name, unit, at }: { name: string; unit: string; at: { lat: number; lng: number } },
): Promise<number> => {
  const siteId = await addSite(fleet, name, { type: 'circle', ...at, radiusM: 200 }, 'customer');
  await recordStay(fleet, { siteId, unit, at });
  const { url, cookie } = fleet.application;
  const terms = { freeMin: 120, countedFrom: 'arrival', rateCents: 6000, stepMin: 15, capCents: null };
  const path = `/api/fleets/${fleet.usdot}/detention/terms`;
  const ofSite = { of: 'site', customer: null, siteId, loadId: null, terms };
  const answer = await sendAsPage(url, path, ofSite, cookie, 'PUT');
  expect(answer.ok, await answer.text()).toBe(true);
  return siteId;
};

/** Runs on the page that verifies documents. Drops a PDF, given in base64. */
export const dropPdf = (base64: string): void => {
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  transfer.items.add(new File([bytes], 'a.pdf', { type: 'application/pdf' }));
  const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer });
  document.getElementById('drop')!.dispatchEvent(drop);
};
