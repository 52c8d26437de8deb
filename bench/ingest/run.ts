import { untilAborted } from '@/lib/base/process/signals';
import { createDemoFleet } from '@/service/simulator/demo-fleet';
import { checkStore, type StoreCheck } from './check-store';
import { registerFleet, startBenchPostgres, type BenchPostgres, type Registration } from './database';
import { startDriver, type Form } from './load/driver-process';
import { isHeld, measureOnce, type Run, type Target } from './measure';
import { measureUnits, readWhile, type UnitsMeasured } from './measure-units';
import { toReporters, type Reporters } from './load/reporters';
import { startNaive, startService, type RunningServer } from './servers';
import type { Scale } from './scale';

/** The same load on both servers. */
export interface Compared {
  service: Run[];
  naive: Run[];
}

export interface Outcome {
  overland: Compared;
  osmand: Compared;
  /** As fast as each connection is answered. */
  overlandFull: Compared;
  osmandFull: Compared;
  /** OsmAnd at rising rates, the service alone, up to the first that is not held. */
  ladder: { rate: number; runs: Run[] }[];
  units: { service: UnitsMeasured; naive: UnitsMeasured };
  /** Overland again while the fleet is read, and how long the reads took, ms. */
  whileRead: { runs: Run[]; readMs: number[] };
  checks: { service: StoreCheck; naive: StoreCheck };
}

interface Bench extends Target {
  server: RunningServer;
  databaseUrl: string;
  registration: Registration;
}

const SEED = 20260305;

/** Measures a service and its naive counterpart, in turns, on one PostgreSQL; gives up when it is aborted. */
export const runBench = async (
  scale: Scale,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Outcome> => {
  const fleet = createDemoFleet({ units: scale.vehicles, seed: SEED });
  const reporters = toReporters(fleet, Date.now());
  const postgres = await startBenchPostgres();
  const started: Bench[] = [];
  const prepare = async (
    name: string,
    start: (databaseUrl: string, usdot: string) => Promise<RunningServer>,
  ): Promise<Bench> => {
    const databaseUrl = await postgres.createDatabase(name);
    const registration = await registerFleet(databaseUrl, fleet);
    const server = await start(databaseUrl, registration.usdot);
    const driver = await startDriver(reporters, registration.ingestToken);
    const bench = { server, databaseUrl, registration, driver, port: server.port };
    started.push(bench);
    return bench;
  };
  try {
    const service = await prepare('service', startService);
    const naive = await prepare('naive', startNaive);
    say(`${scale.vehicles} vehicles are registered`);
    const aborted = untilAborted(signal).then(() => {
      throw new Error('The bench was stopped.');
    });
    return await Promise.race([measure(scale, { service, naive, reporters, say }), aborted]);
  } finally {
    await stopAll(started, postgres);
  }
};

const stopAll = async (started: Bench[], postgres: BenchPostgres): Promise<void> => {
  for (const { server, driver } of started) {
    await server.kill();
    await driver.stop();
  }
  await postgres.stop();
};

interface Parts {
  service: Bench;
  naive: Bench;
  reporters: Reporters;
  say: (line: string) => void;
}

const measure = async (scale: Scale, { service, naive, reporters, say }: Parts): Promise<Outcome> => {
  const logRun = async (what: string, running: Promise<Run>): Promise<Run> => {
    const run = await running;
    const rate = `${run.acceptedPerSecond.toFixed(0)} fixes/s, p99 ${run.p99Ms.toFixed(0)} ms`;
    const lost = run.refused + run.unsent > 0 ? `, ${run.refused} refused, ${run.unsent} unsent` : '';
    say(`${what}: ${rate}${lost}`);
    return run;
  };
  /** In turns, so that a bad minute of the machine affects both. */
  const compare = async (
    form: Form,
    rate: number | null,
    seconds: { service: number; naive: number },
  ): Promise<Compared> => {
    const runs: Compared = { service: [], naive: [] };
    const what = `${form} ${rate === null ? 'as fast as it goes' : `at ${rate}/s`}`;
    for (let repetition = 0; repetition < scale.repetitions; repetition++) {
      runs.service.push(await logRun(`service, ${what}`, measureOnce(service, form, rate, seconds.service)));
      runs.naive.push(await logRun(`naive, ${what}`, measureOnce(naive, form, rate, seconds.naive)));
    }
    return runs;
  };

  // Every vehicle once: compiled code, and a position for each.
  const warmUpS = scale.vehicles / scale.overlandRate;
  await logRun('service, warm-up', measureOnce(service, 'overland', scale.overlandRate, warmUpS));
  await logRun('naive, warm-up', measureOnce(naive, 'overland', null, scale.fullS));

  const overland = await compare('overland', scale.overlandRate, {
    service: scale.overlandS,
    naive: scale.naiveS,
  });
  const osmand = await compare('osmand', scale.osmandRate, { service: scale.osmandS, naive: scale.naiveS });
  const units = {
    service: await measureUnits(service.server, service.registration, scale.reads),
    naive: await measureUnits(naive.server, naive.registration, scale.reads),
  };
  say(`units: first ${units.service.firstMs.toFixed(0)} ms`);

  const whileRead: Outcome['whileRead'] = { runs: [], readMs: [] };
  for (let repetition = 0; repetition < scale.repetitions; repetition++) {
    const load = measureOnce(service, 'overland', scale.overlandRate, scale.whileReadS);
    const reading = readWhile(load, service.server, service.registration, scale.readEveryMs);
    const [run, readMs] = await Promise.all([
      logRun('service, overland while the fleet is read', load),
      reading,
    ]);
    whileRead.runs.push(run);
    whileRead.readMs.push(...readMs);
  }
  say(`reads took ${whileRead.readMs.map((ms) => ms.toFixed(0)).join(', ')} ms`);

  const full = { service: scale.fullS, naive: scale.fullS };
  const overlandFull = await compare('overland', null, full);
  const osmandFull = await compare('osmand', null, full);

  const ladder: Outcome['ladder'] = [];
  for (const rate of scale.ladder) {
    const runs: Run[] = [];
    for (let repetition = 0; repetition < scale.repetitions; repetition++)
      runs.push(
        await logRun(`service, osmand at ${rate}/s`, measureOnce(service, 'osmand', rate, scale.rungS)),
      );
    ladder.push({ rate, runs });
    if (!isHeld(runs, rate)) break;
  }

  // Killed first: what was acknowledged has to be there all the same.
  await service.server.kill();
  await naive.server.kill();
  const check = async ({ databaseUrl, driver }: Bench) =>
    checkStore(databaseUrl, reporters, await driver.readLedger());
  const checks = { service: await check(service), naive: await check(naive) };
  return { overland, osmand, overlandFull, osmandFull, ladder, units, whileRead, checks };
};
