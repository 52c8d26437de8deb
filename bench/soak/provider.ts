/**
 * The provider of the soak, in a process of its own: `provider.ts UNITS` serves a moving fleet, has the true
 * position of each unit, and fails at random, in the same way for the same seed. It sends its port to its parent, which
 * posts commands to it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAULT_NAMES, type Behavior } from '@/testing/tracking/faults';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import type { ApiRecord } from '@/testing/tracking/scripted-units';
import { createRandom } from '@/service/simulator/random';
import { STEP_MS, createBenchFleet } from '../support/bench-fleet';
import { GOOD_SHARE, MOVED_SHARE, REFUSE_EVERY_MS, REFUSE_FOR_MS, SOAK_SEED, SOAK_USDOT } from './plan';

/** Enough for an answer of five minutes ago. */
const KEPT_STEPS = 40;
const DECKS = 400;
const ROSTER_FAULT_MS = 15_000;

const [units] = process.argv.slice(2).map(Number);
const fleet = createBenchFleet(units!, SOAK_SEED, Date.now());
const random = createRandom(SOAK_SEED);
const history: { atMs: number; records: ApiRecord[] }[] = [];

const recordStep = (): void => {
  const { units: records } = JSON.parse(fleet.toJson()) as { units: ApiRecord[] };
  history.push({ atMs: Date.now(), records });
  if (history.length > KEPT_STEPS) history.shift();
};
const recordsAt = (atMs: number): ApiRecord[] =>
  (history.findLast((moment) => moment.atMs <= atMs) ?? history[0]!).records;

recordStep();
const stepping = setInterval(() => {
  fleet.step(MOVED_SHARE);
  recordStep();
}, STEP_MS);

/** Every fault once, in an order of chance, with good answers in between. */
const dealDeck = (): Behavior[] => {
  const deck: Behavior[] = [...FAULT_NAMES];
  for (let i = deck.length - 1; i > 0; i--) {
    const j = random.integer(0, i);
    [deck[i], deck[j]] = [deck[j]!, deck[i]!];
  }
  return deck.flatMap((fault) => (random.next() < GOOD_SHARE / (1 - GOOD_SHARE) ? ['good', fault] : [fault]));
};

const provider = await startFaultyProvider({
  account: { companyName: 'Soak Freight', companyId: 'soak', usdot: SOAK_USDOT },
});
provider.give(SOAK_USDOT, recordsAt);
let isFaulty = false;
let refusals = 0;

const misbehave = async (): Promise<void> => {
  isFaulty = true;
  provider.script(SOAK_USDOT, Array.from({ length: DECKS }, dealDeck).flat());
  let passedMs = 0;
  while (isFaulty) {
    const waitMs = random.between(0.5, 1.5) * ROSTER_FAULT_MS;
    await sleep(waitMs);
    passedMs += waitMs;
    if (!isFaulty) return;
    // The roster and single units; the fleet's units go by the script.
    provider.behave(SOAK_USDOT, random.pick([...FAULT_NAMES, 'good', 'good']));
    if (passedMs < REFUSE_EVERY_MS) continue;
    passedMs = 0;
    refusals++;
    await provider.refuse();
    await sleep(REFUSE_FOR_MS);
    await provider.accept();
  }
};

const countAsked = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { resource, behavior } of provider.received) {
    if (resource === 'units') counts[behavior] = (counts[behavior] ?? 0) + 1;
  }
  return counts;
};

const ANSWERS: Record<string, () => unknown> = {
  '/provider': () => ({ variables: provider.variables, secrets: Object.values(provider.credentials) }),
  '/misbehave': () => void misbehave(),
  '/heal': () => {
    isFaulty = false;
    provider.script(SOAK_USDOT, []);
    provider.behave(SOAK_USDOT, 'good');
  },
  '/freeze': () => clearInterval(stepping),
  '/truth': () => fleet.vins.map((vin, unit) => ({ vin, ...fleet.positionOf(unit) })),
  '/report': () => ({ asked: countAsked(), refusals, elsewhere: provider.elsewhere.requests.length }),
};

const control = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(ANSWERS[request.url ?? '']?.() ?? null));
});
control.listen(0, '127.0.0.1', () => process.send?.((control.address() as AddressInfo).port));
