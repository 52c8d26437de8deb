/**
 * `npm run bench:wire`: how many bytes a poll costs a browser, against the tracking API's own JSON and
 * against the entropy of what changed. With --smoke: 1,000 units, and nothing is written.
 */
import { clockOf } from '@/testing/clock';
import { compress } from '@/lib/base/http/compress';
import { encodeLive } from '@/lib/wire/server/encode';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { UNREAD_FEED, type Fleet } from '@/lib/wire/fleet';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { STEP_MS, createBenchFleet, type BenchFleet } from './support/bench-fleet';
import { toChangeEntropyBytes } from './support/entropy';
import { atMost, publishReport, toMarkdown, toSection, type Section } from './support/report';
import { median, toSpread } from './support/statistics';

const isSmoke = process.argv.includes('--smoke');
const SIZES = isSmoke ? [1_000] : [10_000, 100_000];
const POLLS = isSmoke ? 5 : 8;
/** The first polls bring each unit its first speed and heading; what follows is what a day is made of. */
const WARM_UP_POLLS = 3;
const MOVED_SHARE = 0.6;
const SEED = 1956;
const KB = 1000;
/** The targets are for a fleet of this many units. */
const TARGET_UNITS = 100_000;

const USDOT = '9000001';

/** The feed's own steps, one by one: the client's, the memory's, and what a version consists of. */
const createPipeline = (fleet: BenchFleet, clock: { nowMs: number }) => {
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, '9000001');
  const client = createTrackingClient({
    fetch: async () => new Response(fleet.toJson()),
    baseUrl: 'http://provider.invalid',
    credentials: { apiKey: 'bench', providerToken: 'bench' },
    clock: clockOf(() => clock.nowMs),
    limits: DEFAULT_ANSWER_LIMITS,
  });
  let versions = 0;
  return async (): Promise<Fleet> => {
    const { units } = await client.readUnits(USDOT);
    tracker.observe(units, null, clock.nowMs);
    const feed = { ...UNREAD_FEED, fetchedAtMs: clock.nowMs, activeUnits: units.length };
    return { usdot: USDOT, version: `bench.${++versions}`, ...tracker.copyRows(), feed, account: null };
  };
};

const toBytes = (previous: Fleet | null, next: Fleet, nowMs: number): Uint8Array =>
  toLiveBytes(encodeLive(previous, next, { nowMs, nextPollMs: STEP_MS }));

const toShareMoved = (previous: Fleet, next: Fleet): number => {
  let moved = 0;
  for (let row = 0; row < next.rows; row++) {
    const { latE5, lngE5 } = next.columns;
    if (latE5[row] !== previous.columns.latE5[row] || lngE5[row] !== previous.columns.lngE5[row]) moved++;
  }
  return moved / next.rows;
};

const measure = async (units: number): Promise<Section> => {
  const clock = { nowMs: Date.UTC(2026, 2, 5, 15) };
  const fleet = createBenchFleet(units, SEED, clock.nowMs);
  const poll = createPipeline(fleet, clock);
  let held = await poll();
  const json = Buffer.from(fleet.toJson());
  const apiGzip = (await compress(json, 'gzip')).body.length;
  const apiBr = (await compress(json, 'br')).body.length;
  const deltas = { plain: [] as number[], gzip: [] as number[], br: [] as number[] };
  const entropies: number[] = [];
  const encodeMs: number[] = [];
  const moved: number[] = [];
  for (let i = 0; i < POLLS; i++) {
    clock.nowMs += STEP_MS;
    fleet.step(MOVED_SHARE);
    const next = await poll();
    const startedAtMs = performance.now();
    const bytes = toBytes(held, next, clock.nowMs);
    encodeMs.push(performance.now() - startedAtMs);
    if (i >= WARM_UP_POLLS) {
      deltas.plain.push(bytes.length);
      deltas.gzip.push((await compress(bytes, 'gzip')).body.length);
      deltas.br.push((await compress(bytes, 'br')).body.length);
      entropies.push(toChangeEntropyBytes(held, next));
      moved.push(toShareMoved(held, next));
    }
    held = next;
  }

  const whole = toBytes(null, held, clock.nowMs);
  const wholeGzip = (await compress(whole, 'gzip')).body.length;
  const wholeBr = (await compress(whole, 'br')).body.length;
  const delta = median(deltas.br);
  const entropy = median(entropies);
  const hasTargets = units === TARGET_UNITS;
  const { least, most } = toSpread(deltas.br);
  const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;
  const free = (what: string, measured: string) => ({ what, measured, target: '', isMet: null });
  return toSection(
    `${units.toLocaleString('en-US')} units, of which ${(MOVED_SHARE * 100).toFixed(0)} % reported`,
    [
      hasTargets ? atMost('a change, brotli', delta / KB, 250, 'KB') : free('a change, brotli', kb(delta)),
      free('… least and most', `${kb(least)} to ${kb(most)}`),
      free('a change, gzip', kb(median(deltas.gzip))),
      free('a change, not compressed', kb(median(deltas.plain))),
      free('entropy of what changed', kb(entropy)),
      atMost('a change, brotli, by its entropy', delta / entropy, 1.5, 'times', 2),
      free("the API's JSON, brotli", kb(apiBr)),
      free("the API's JSON, gzip", kb(apiGzip)),
      free("the API's gzip by a change", `${(apiGzip / delta).toFixed(1)} times`),
      free('everything, gzip', kb(wholeGzip)),
      free("everything, gzip, by the API's JSON, gzip", `${(wholeGzip / apiGzip).toFixed(3)} times`),
      hasTargets
        ? atMost("everything, brotli, by the API's JSON, brotli", wholeBr / apiBr, 0.333, 'times', 3)
        : free("everything, brotli, by the API's JSON, brotli", `${(wholeBr / apiBr).toFixed(3)} times`),
      free('time to encode a change', `${median(encodeMs).toFixed(1)} ms`),
    ],
    [
      `${(median(moved) * 100).toFixed(0)} % of the units stood elsewhere than a poll before; the others that reported were parked.`,
    ],
  );
};

const sections: Section[] = [];
for (const units of SIZES) sections.push(await measure(units));
const about =
  'Bytes of `GET /api/fleets/:usdot/live`, from the demo fleet on its interstates. The entropy is that of each ' +
  'column of differences on its own (order 0), with which rows changed: what a coder that knows the ' +
  'distributions, but no relation between columns, would need. Browsers ask for brotli; the targets are for it.';
publishReport('wire', toMarkdown('Wire', about, sections, Date.now()), { isKept: !isSmoke });
