import { MINUTE_MS } from '@/lib/base/time';
import type { SharedItem, SharedStop, ShareView } from '@/lib/shares/view';

/** Sunday, 10:16 AM in Chicago. */
export const VIEW_NOW = Date.UTC(2026, 10, 29, 16, 16);
const at = (minutes: number): number => VIEW_NOW + minutes * MINUTE_MS;

const PICKUP: SharedStop = {
  kind: 'pickup',
  name: 'Sooner Steel, Tulsa',
  lat: 36.15,
  lng: -95.99,
  timeZone: 'America/Chicago',
  appointment: { fromMs: at(-240), toMs: at(-180) },
  arrived: { afterMs: at(-182), byMs: at(-180) },
  left: { afterMs: at(-134), byMs: at(-131) },
  isPassed: false,
};
const DELIVERY: SharedStop = {
  kind: 'delivery',
  name: 'Acme DC, St. Louis',
  lat: 38.63,
  lng: -90.24,
  timeZone: 'America/Chicago',
  appointment: { fromMs: at(164), toMs: at(224) },
  arrived: null,
  left: null,
  isPassed: false,
};

/** A load that is under way on I-44, with all that a link can show. */
export const LOAD: SharedItem = {
  kind: 'load',
  title: '8841 · PO 55-210',
  truckNumber: '104',
  driver: 'Dana',
  vin: null,
  plate: null,
  position: { lat: 37.95, lng: -91.93, precision: 'exact', radiusM: 0, fixAtMs: VIEW_NOW - 40_000 },
  status: { status: 'moving', sinceMs: at(-90) },
  speedKph: 98,
  headingDeg: 68,
  next: 1,
  window: { fromMs: at(244), toMs: at(289), isGraded: true },
  leftM: 156_000,
  verdict: 'late',
  stops: [PICKUP, DELIVERY],
  trail: [
    { lat: 36.15, lng: -95.99 },
    { lat: 36.6, lng: -95.3 },
    { lat: 37.06, lng: -94.5 },
    { lat: 37.2, lng: -93.3 },
    { lat: 37.68, lng: -92.66 },
    { lat: 37.95, lng: -91.93 },
  ],
  endedMs: null,
};

/** Where nothing but an area or a town is shown, a link shows no speed, no heading and no trail. */
const BLURRED = { speedKph: null, headingDeg: null, trail: [] } as const;

const toView = (items: readonly SharedItem[], view: Partial<ShareView> = {}): ShareView => ({
  carrier: 'Prairie Star Freight',
  nowMs: VIEW_NOW,
  delayMin: 0,
  items,
  end: { endsMs: at(60 * 30), on: 'departure', at: 'Acme DC, St. Louis' },
  timeZone: 'America/Chicago',
  frameOrigins: [],
  ...view,
});

const only = (item: Partial<SharedItem>, view?: Partial<ShareView>): ShareView =>
  toView([{ ...LOAD, ...item }], view);

/** A link of each kind that its page shows, by what is special about it. */
export const VIEWS = {
  exact: only({}),
  onTime: only({ verdict: 'onTime', window: { fromMs: at(180), toMs: at(219), isGraded: true } }),
  atRisk: only({ verdict: 'atRisk', window: { fromMs: at(200), toMs: at(245), isGraded: true } }),
  noWindow: only({ verdict: 'unknown', window: null, leftM: null }),
  area: only({
    ...BLURRED,
    position: { lat: 37.95, lng: -91.9, precision: 'area', radiusM: 8047, fixAtMs: at(-4) },
    leftM: 160_934,
  }),
  town: only({
    ...BLURRED,
    position: { lat: 37.9514, lng: -91.7713, precision: 'town', radiusM: 0, fixAtMs: at(-4) },
  }),
  old: only({ position: { ...LOAD.position!, fixAtMs: at(-4) } }),
  parked: only({ status: { status: 'stopped', sinceMs: at(-134) }, speedKph: null, headingDeg: null }),
  late: only({
    status: { status: 'late', sinceMs: null },
    position: { ...LOAD.position!, fixAtMs: at(-14) },
  }),
  silent: only({
    status: { status: 'silent', sinceMs: null },
    position: { ...LOAD.position!, fixAtMs: at(-70) },
  }),
  unknown: only({ status: { status: 'unknown', sinceMs: null }, speedKph: null, headingDeg: null }),
  delayed: only({ position: { ...LOAD.position!, fixAtMs: at(-31) } }, { delayMin: 30 }),
  noPosition: only({
    position: null,
    status: null,
    trail: [],
    speedKph: null,
    headingDeg: null,
    leftM: null,
    window: null,
    verdict: 'unknown',
  }),
  atStop: only({
    status: { status: 'stopped', sinceMs: at(-20) },
    position: { lat: 38.63, lng: -90.24, precision: 'exact', radiusM: 0, fixAtMs: at(-1) },
    stops: [PICKUP, { ...DELIVERY, arrived: { afterMs: at(-22), byMs: at(-20) } }],
    window: null,
    leftM: null,
    verdict: 'onTime',
  }),
  delivered: only({
    next: null,
    window: null,
    leftM: null,
    verdict: null,
    stops: [
      PICKUP,
      { ...DELIVERY, arrived: { afterMs: at(-62), byMs: at(-60) }, left: { afterMs: at(-9), byMs: at(-7) } },
    ],
  }),
  passed: only({
    stops: [
      PICKUP,
      { ...PICKUP, kind: 'other', name: 'Cross dock, Joplin', isPassed: true, arrived: null, left: null },
      DELIVERY,
    ],
    next: 2,
  }),
  truck: toView(
    [
      {
        ...LOAD,
        kind: 'truck',
        title: '104',
        driver: null,
        next: null,
        window: null,
        leftM: null,
        verdict: null,
        stops: [],
        trail: [],
      },
    ],
    { end: { endsMs: at(600), on: null, at: null } },
  ),
  several: toView(
    [
      LOAD,
      {
        ...LOAD,
        title: '8842',
        truckNumber: '207',
        position: { lat: 38.75, lng: -92.3, precision: 'exact', radiusM: 0, fixAtMs: at(-1) },
        status: { status: 'stopped', sinceMs: at(-35) },
        verdict: 'onTime',
        window: { fromMs: at(170), toMs: at(210), isGraded: true },
        trail: [],
      },
      {
        ...LOAD,
        title: '8799',
        position: null,
        status: null,
        stops: [],
        trail: [],
        next: null,
        endedMs: at(-95),
      },
    ],
    { end: { endsMs: at(600), on: 'delivery', at: null } },
  ),
} as const satisfies Record<string, ShareView>;
