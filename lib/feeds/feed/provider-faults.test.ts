import { afterEach, describe, expect, test } from 'vitest';
import { FAULT_NAMES, type Behavior, type Fault } from '@/testing/tracking/faults';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { TIME_FAULT_NAMES } from '@/testing/tracking/time-faults';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import type { Fleet } from '@/lib/wire/fleet';
import { FAILURES, type Failure } from '@/testing/live/failures';
import {
  FAULTY_USDOT,
  SHORT,
  FLEET_UNITS,
  seeUnits,
  setUpFaultyFeed,
  type FaultyFeed,
  type Seen,
} from '@/testing/live/faulty-feed';
import { MINUTE_MS } from '@/lib/base/time';

const POLL_MS = 10_000;
/** No back-off: the feed polls at its usual interval under every fault. */
const QUICK = { maxBackoffMs: POLL_MS, maxRetryAfterMs: POLL_MS };

const providers: FaultyProvider[] = [];
afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

const setUp = async (...options: Parameters<typeof setUpFaultyFeed>) => {
  const faulty = await setUpFaultyFeed(...options);
  providers.push(faulty.provider);
  return faulty;
};

/** Every unit is at the provider's true position and time, and there are no other units. */
const expectTruth = (fleet: Fleet, provider: FaultyProvider): void => {
  const seen = seeUnits(fleet);
  const records = provider.recordsOf(FAULTY_USDOT);
  expect(seen.size).toBe(records.length);
  for (const { vin, coordinates, unixTimestamp } of records) {
    const { lat, lng } = coordinates as { lat: number; lng: number };
    expect(seen.get(vin)?.lat, vin).toBeCloseTo(lat, 4);
    expect(seen.get(vin)?.lng, vin).toBeCloseTo(lng, 4);
    expect(seen.get(vin)?.fixAtS, vin).toBe(unixTimestamp);
  }
};

/** The first good answer is accepted at once; the notice goes once answers were good for a while. */
const expectRecovery = async ({ provider, poll, pollFor, read }: FaultyFeed): Promise<void> => {
  provider.behave(FAULTY_USDOT, 'good');
  await poll();
  expect((await read()).feed.staleSinceMs).toBeNull();
  expectTruth(await read(), provider);
  await pollFor(MINUTE_MS);
  expect((await read()).feed).toMatchObject({ problem: null, staleSinceMs: null });
  expectTruth(await read(), provider);
};

const statuses = (fleet: Fleet): string[] => [...seeUnits(fleet).values()].map(({ status }) => status);

/** Faults that leave every unit's position readable. */
const SALVAGED: { fault: Fault; report: object }[] = [
  { fault: 'wrongContentType', report: { repaired: 1, dropped: 0 } },
  { fault: 'unknownFields', report: { repaired: 0, dropped: 0 } },
  { fault: 'numbersAsStrings', report: { repaired: 4 * FLEET_UNITS, dropped: 0 } },
  { fault: 'duplicateKeys', report: { repaired: 0, dropped: 0 } },
  { fault: 'badUtf8', report: { repaired: 1, dropped: 0 } },
  { fault: 'repeatsSecretsInUnits', report: { repaired: 0, dropped: 0 } },
];

/** Faults that leave only some units' positions readable, and those that one answer alone cannot show. */
const TOLD_APART: Fault[] = [
  'fewBadUnits',
  'mostBadUnits',
  'nullButTheVin',
  'sharedDevice',
  'emptyVins',
  'mistypedVin',
  'dropsToZero',
  'older',
  'otherFleet',
  'otherVin',
  'otherClock',
  'hangsForTheRoster',
  'hangsForTheCarrier',
  // Covered by time-faults.test.ts.
  ...TIME_FAULT_NAMES,
];
/** Faults that only the fleet's norms show, covered by half-answers.test.ts. */
const UNUSUAL: Fault[] = ['halfList', 'firstPageOnly', 'repeatsRecords', 'replica60s', 'emptyEverySecond'];

test('every simulated fault of the provider has a test', () => {
  const tested = [...FAILURES, ...SALVAGED].map(({ fault }) => fault).concat(TOLD_APART, UNUSUAL);
  expect([...tested].sort()).toEqual([...FAULT_NAMES].sort());
});

const expectHeld = (held: Fleet, good: Fleet, { kind, message, detail }: Omit<Failure, 'fault'>): void => {
  expect(held.feed.problem).toMatchObject({ kind, message });
  expect(held.feed.problem?.detail).toMatch(detail);
  expect(held.feed.staleSinceMs).not.toBeNull();
  expect(held.feed.fetchedAtMs).toBe(good.feed.fetchedAtMs);
  expect(held.columns).toEqual(good.columns);
};

describe('the last good snapshot stays, with its age and the problem, until the provider recovers', () => {
  test.each(FAILURES)('$fault', async ({ fault, ...words }) => {
    const { provider, poll, read, feed } = await setUp({}, words.kind === 'timeout' ? SHORT : {});
    const good = await read();
    expectTruth(good, provider);
    provider.behave(FAULTY_USDOT, fault);
    await poll();
    expectHeld(await read(), good, words);
    await poll();
    expectHeld(await read(), good, words);
    provider.behave(FAULTY_USDOT, 'good');
    await poll();
    const well = await read();
    expect(well.feed).toMatchObject({ problem: null, staleSinceMs: null, activeUnits: FLEET_UNITS });
    expectTruth(well, provider);
    expect(feed.problems()).toMatchObject([{ kind: words.kind, times: 2, untilMs: expect.any(Number) }]);
  });

  test('refuses connections', async () => {
    const { provider, poll, read } = await setUp();
    const good = await read();
    await provider.refuse();
    // The first poll finds an open connection cut, the second that no new one can be made.
    for (let polls = 0; polls < 2; polls++) await poll();
    expectHeld(await read(), good, {
      kind: 'network',
      message: 'The tracking provider cannot be reached.',
      detail: /could not be reached\. \(ECONNREFUSED\)/,
    });
    await provider.accept();
    await poll();
    expect((await read()).feed.problem).toBeNull();
    expectTruth(await read(), provider);
  });
});

describe('readable records are accepted, and repairs are counted', () => {
  test.each(SALVAGED)('$fault', async ({ fault, report }) => {
    const { provider, poll, read, feed } = await setUp();
    provider.behave(FAULTY_USDOT, fault);
    await poll();
    const fleet = await read();
    expect(fleet.feed).toMatchObject({ problem: null, staleSinceMs: null });
    expect(feed.salvage()).toMatchObject(report);
    expectTruth(fleet, provider);
  });

  test('a long answer within the limit', async () => {
    const { provider, poll, read } = await setUp({}, { maxAnswerBytes: 64 * 2 ** 20 });
    provider.behave(FAULTY_USDOT, 'longAnswer');
    await poll();
    expect((await read()).feed.problem).toBeNull();
    expectTruth(await read(), provider);
  });

  test('a bad byte harms only the text that contains it', async () => {
    const { provider, poll, feed } = await setUp();
    const [unit] = createScriptedUnits(1);
    provider.behave(FAULTY_USDOT, 'badUtf8');
    await poll();
    expect((await feed.detail(unit!.vin))?.identity).toMatchObject({
      make: 'Fr\uFFFDightliner',
      truckNumber: unit!.truckNumber,
    });
  });
});

/** Polls once under a fault, and gives the fleet before and after. */
const pollUnder = async (fault: Behavior, settings = {}) => {
  const faulty = await setUp(settings);
  const before = await faulty.read();
  faulty.provider.behave(FAULTY_USDOT, fault);
  await faulty.poll();
  return { ...faulty, before, after: await faulty.read() };
};

describe('units whose records cannot be read', () => {
  test('fewBadUnits: stay listed, where they were and from when, while the others go on', async () => {
    const { before, pollFor, read, provider } = await pollUnder('fewBadUnits');
    // Longer than a unit may be missing before it counts as having left.
    await pollFor(MINUTE_MS);
    const after = await read();
    const [bad, ...others] = createScriptedUnits(FLEET_UNITS).map(({ vin }) => vin);
    const [was, is] = [seeUnits(before), seeUnits(after)];
    expect(after.feed).toMatchObject({ problem: null, droppedRecords: 1, activeUnits: FLEET_UNITS - 1 });
    expect(is.get(bad!)).toEqual(was.get(bad!));
    const truth = new Map(provider.recordsOf(FAULTY_USDOT).map((record) => [record.vin, record]));
    for (const vin of others) expect(is.get(vin)?.fixAtS).toBe(truth.get(vin)?.unixTimestamp);
  });

  test('mostBadUnits: the same, and the screen shows a notice', async () => {
    const faulty = await pollUnder('mostBadUnits');
    const { before, pollFor, read } = faulty;
    await pollFor(MINUTE_MS);
    const after = await read();
    expect(after.feed).toMatchObject({ staleSinceMs: null, droppedRecords: 18, activeUnits: 2 });
    expect(after.feed.problem).toMatchObject({
      kind: 'unusable',
      message: expect.stringMatching(
        /^18 of the 20 records that the tracking provider sends cannot be read; /,
      ),
    });
    expect(statuses(after)).not.toContain('silent');
    expect(seeUnits(after).size).toBe(seeUnits(before).size);
    await expectRecovery(faulty);
  });

  test('nullButTheVin: keep their last position and its time', async () => {
    const { before, after } = await pollUnder('nullButTheVin');
    const places = (fleet: Fleet) =>
      [...seeUnits(fleet).values()].map(({ lat, lng, fixAtS }: Seen) => [lat, lng, fixAtS]);
    expect(places(after)).toEqual(places(before));
    expect(after.feed).toMatchObject({ problem: null, activeUnits: FLEET_UNITS });
  });
});

describe('units that the provider does not identify', () => {
  test.each(['sharedDevice', 'emptyVins', 'mistypedVin'] as const)(
    '%s: each stays the unit that it was, where it truly is',
    async (fault) => {
      const { after, provider } = await pollUnder(fault);
      expect(after.feed).toMatchObject({ problem: null, staleSinceMs: null, activeUnits: FLEET_UNITS });
      expectTruth(after, provider);
    },
  );
});

describe('a fleet that drops to zero', () => {
  const DROPPED = {
    kind: 'drop',
    message: 'The tracking provider lists no truck any more; before, it listed 20.',
  };

  test('is quarantined until it was repeated for a while, at the usual pace', async () => {
    const faulty = await pollUnder('dropsToZero');
    const { before, after, poll, read, logged } = faulty;
    expectHeld(after, before, { ...DROPPED, kind: 'drop', detail: /lists 0 trucks, .* after one of 20/ });
    expect(await poll()).toBe(POLL_MS);
    expectHeld(await read(), before, { ...DROPPED, kind: 'drop', detail: /0 trucks/ });
    expect(logged).toHaveLength(1);
    await expectRecovery(faulty);
  });

  test('is shown once it lasts, and the fleet returns', async () => {
    const faulty = await pollUnder('dropsToZero');
    const { pollFor, read, now } = faulty;
    const droppedAtMs = now();
    await pollFor(MINUTE_MS);
    const gone = await read();
    expect(gone.feed).toMatchObject({ staleSinceMs: null, activeUnits: 0, fetchedAtMs: now() });
    expect(gone.feed.problem).toMatchObject({ ...DROPPED, sinceMs: droppedAtMs });
    await pollFor(2 * MINUTE_MS);
    expect(new Set(statuses(await read()))).toEqual(new Set(['silent']));
    expect((await read()).feed.problem).toMatchObject({ ...DROPPED, sinceMs: droppedAtMs });
    await expectRecovery(faulty);
    expect(statuses(await read())).not.toContain('silent');
  });
});

test('older: an older answer replaces nothing newer, and is reported', async () => {
  const faulty = await pollUnder('older');
  const { before, after, pollFor, read } = faulty;
  expectHeld(after, before, {
    kind: 'older',
    message: 'The tracking provider answers with older positions than before; the newer ones are kept.',
    detail: /older fixes than the last of 20 trucks, and newer ones of none/,
  });
  await pollFor(MINUTE_MS);
  const lasting = await read();
  expect(lasting.feed.problem).toMatchObject({ kind: 'older' });
  expect(lasting.feed.staleSinceMs).toBeNull();
  const fixes = (fleet: Fleet) => [...seeUnits(fleet).values()].map(({ fixAtS }) => fixAtS);
  expect(fixes(lasting)).toEqual(fixes(before));
  await expectRecovery(faulty);
});

test('otherClock: answers are accepted as before, and the clock difference is reported', async () => {
  const faulty = await pollUnder('otherClock');
  const { after, provider } = faulty;
  expect(after.feed.problem).toMatchObject({
    kind: 'clock',
    message: expect.stringContaining('this server and of the tracking provider are 5 min apart'),
    detail: expect.stringMatching(/clock is .* ahead of the Date/),
  });
  expect(after.feed.staleSinceMs).toBeNull();
  expectTruth(after, provider);
  await expectRecovery(faulty);
});

test('otherFleet: the units of another fleet never come onto the map against the roster', async () => {
  const faulty = await pollUnder('otherFleet');
  const { before, after, pollFor, read } = faulty;
  const words = {
    kind: 'otherFleet',
    message: 'The tracking provider lists other trucks than before, as if it answered for another fleet.',
    detail: /20 trucks, 20 of them new; 0 of 20 were listed before; 0 of 20 VINs are on the roster of 20/,
  } as const;
  expectHeld(after, before, words);
  await pollFor(10 * MINUTE_MS);
  expectHeld(await read(), before, words);
  await expectRecovery(faulty);
});

test.each(['hangsForTheRoster', 'hangsForTheCarrier'] as const)(
  '%s: units are requested as often as always',
  async (fault) => {
    const { provider, poll, read } = await setUp({ rosterEveryMs: POLL_MS, accountEveryMs: POLL_MS });
    provider.behaveForAccount(fault);
    provider.behave(FAULTY_USDOT, fault);
    for (let polls = 0; polls < 12; polls++) {
      expect(await poll()).toBe(POLL_MS);
      expect((await read()).feed.problem).toBeNull();
      expectTruth(await read(), provider);
    }
    const hanging = fault === 'hangsForTheRoster' ? 'vin-numbers' : 'carrier';
    const asked = provider.received.filter(
      ({ resource, behavior }) => resource === hanging && behavior === fault,
    );
    expect(asked).toHaveLength(1);
  },
);

describe('the pause after a failure', () => {
  test('is the Retry-After in seconds', async () => {
    const { provider, poll } = await setUp();
    provider.script(FAULTY_USDOT, ['tooManyForSeconds']);
    await poll();
    // Three seconds are less than the wait before the next poll would have been.
    expect(await poll()).toBe(POLL_MS);
  });

  test('is the Retry-After as a date', async () => {
    const { provider, poll } = await setUp();
    provider.script(FAULTY_USDOT, ['tooManyUntilDate']);
    await poll();
    expect(await poll()).toBe(2 * MINUTE_MS);
  });

  test('is never longer than an hour, although the Retry-After is a day', async () => {
    const { provider, poll } = await setUp();
    provider.script(FAULTY_USDOT, ['tooManyForADay']);
    await poll();
    expect(await poll()).toBe(60 * MINUTE_MS);
  });

  test('is never longer than the settings allow', async () => {
    const { provider, poll } = await setUp({ maxRetryAfterMs: 45_000, maxBackoffMs: 20_000 });
    provider.script(FAULTY_USDOT, ['tooManyUntilDate', 'serverError', 'serverError', 'serverError']);
    await poll();
    expect(await poll()).toBe(45_000);
    for (let failure = 0; failure < 2; failure++) expect(await poll()).toBe(20_000);
  });
});

test('redirects: the other host gets no request and no secret', async () => {
  const { provider, poll } = await setUp();
  provider.script(FAULTY_USDOT, ['redirects', 'redirects']);
  await poll();
  await poll();
  expect(provider.received.filter(({ behavior }) => behavior === 'redirects')).toHaveLength(2);
  expect(provider.elsewhere.requests).toEqual([]);
});

test('no fault brings a secret into a state, a salvage report, a problem or a log', async () => {
  const { provider, poll, read, feed, logged } = await setUp(QUICK, SHORT);
  const said: string[] = [];
  for (const fault of FAULT_NAMES) {
    provider.script(FAULTY_USDOT, [fault]);
    await poll();
    const { feed: state, identities } = await read();
    said.push(JSON.stringify([state, identities, feed.salvage(), feed.problems()]));
  }
  const asked = new Set(provider.received.map(({ behavior }) => behavior));
  expect([...asked].sort()).toEqual(['good', ...FAULT_NAMES].sort());
  expect(said.join()).toContain('[hidden]');
  for (const secret of Object.values(provider.credentials)) {
    expect(said.join()).not.toContain(secret);
    expect(logged.join()).not.toContain(secret);
  }
});

test('a whole day of faults, one after the other, ends in the true state', async () => {
  const { provider, poll, pollFor, read } = await setUp(QUICK, SHORT);
  provider.script(FAULTY_USDOT, [...FAULT_NAMES].reverse());
  for (let polls = 0; polls <= FAULT_NAMES.length; polls++) await poll();
  expect((await read()).feed.problem).toBeNull();
  // Times that could not be trusted are trusted again once they have been sound for a while.
  await pollFor(MINUTE_MS);
  expectTruth(await read(), provider);
});
