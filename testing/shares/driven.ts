import { beforeEach } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { loadInputSchema, type LoadInput } from '@/lib/loads/schema';
import { addLoad } from '@/lib/loads/server/loads';
import type { SharedField, ShareInput } from '@/lib/shares/schema';
import type { ShareReader } from '@/lib/shares/server/read-share';
import { addShare } from '@/lib/shares/server/shares';
import type { ShareAnswer, SharedItem } from '@/lib/shares/view';
import { addSite } from '@/lib/sites/server/sites';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { unitAt } from '@/testing/live/tracked-units';
import { START_MS } from '@/testing/motion/fixes';
import { RecordedFeed } from './recorded-feed';
import { ANN, about, setUpShares, shareOf } from './shares';

export const [TRUCK, OTHER] = ['1M8GDM9AXKP042788', '1FUJHHDR0NLNA1234'] as const;
export const ALL: SharedField[] = [
  ...(['status', 'heading', 'window', 'stops', 'trail', 'truckNumber', 'driver', 'vin', 'plate'] as const),
];
/** The radius of a stop, m. */
export const RADIUS_M = 400;
export const METERS = 1 / 111_195.08;

export const atMs = (min: number): number => START_MS + Math.round(min * MINUTE_MS);

export const itemOf = (answer: ShareAnswer): SharedItem => {
  if (answer.kind !== 'open') throw new Error(`It shows ${answer.kind}.`);
  return answer.view.items[0]!;
};
/** Minutes after the start of the fix that is shown. */
export const minuteOf = ({ position }: SharedItem): number | null =>
  position && (position.fixAtMs - START_MS) / MINUTE_MS + 0.05;

export const loadOf = (unit: string, norths: number[], reference: string): LoadInput =>
  loadInputSchema.parse({
    ...{ reference, po: 'PO 17', unit },
    stops: norths.map((northM, i) => ({
      ...{ kind: i === 0 ? 'pickup' : 'delivery', siteId: null },
      appointment: { fromMs: atMs(60), toMs: atMs(120) },
      place: { name: `Dock ${i}`, lat: 35 + northM * METERS, lng: -101.00437, radiusM: RADIUS_M },
    })),
  });

/** Links of a fleet of its own for each test, whose trucks a test drives north and south. */
export const setUpDriven = () => {
  const held = setUpShares();
  const driven = { usdot: '', feed: null as unknown as RecordedFeed, reader: null as unknown as ShareReader };
  let fleets = 9_000_000;
  beforeEach(async () => {
    driven.usdot = String(++fleets);
    held.nowMs = START_MS;
    driven.feed = new RecordedFeed(held.pool, driven.usdot);
    await driven.feed.start(held.nowMs);
    driven.reader = held.createReader();
  });
  /** A poll so many minutes after the start, whose trucks are so far north. */
  const poll = async (
    min: number,
    units: Record<string, number>,
    { more = {}, revision = null }: { more?: Partial<TrackedUnit>; revision?: number | null } = {},
  ): Promise<void> => {
    held.nowMs = atMs(min);
    const seen = Object.entries(units).map(([key, northM]) => unitAt(key, min - 0.05, northM, more));
    await driven.feed.poll(seen, held.nowMs, revision);
  };
  return {
    held,
    driven,
    poll,
    /** Polls that are a minute apart. */
    drive: async (fromMin: number, ...norths: number[]): Promise<void> => {
      for (const [i, northM] of norths.entries()) await poll(fromMin + i, { [TRUCK]: northM });
    },
    share: (changes: Partial<ShareInput>) =>
      addShare(held.by(ANN), driven.usdot, shareOf(held, { ...about({ unit: TRUCK }), ...changes })),
    show: async (link: { link: string }): Promise<SharedItem> => itemOf(await held.show(driven.reader, link)),
    makeLoad: async (norths: number[], reference = '8841', unit: string = TRUCK) => {
      const input = loadOf(unit, norths, reference);
      const { id } = await addLoad(held.by(ANN), driven.usdot, input);
      await driven.feed.readAgain(held.nowMs);
      return { id, input };
    },
    addYard: async (northM: number): Promise<number> => {
      const shape = {
        type: 'circle' as const,
        lat: 35 + northM * METERS,
        lng: -101.00437,
        radiusM: RADIUS_M,
      };
      const yard = { name: 'Yard', kind: 'yard' as const, color: '#336699', notes: '', openingHours: null };
      const site = { ...yard, marginM: 75, shape };
      const { id } = await addSite({ ...held.by(ANN), history: null }, driven.usdot, site);
      await driven.feed.readAgain(held.nowMs);
      return id;
    },
  };
};
