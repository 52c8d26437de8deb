import type { LastMinutes } from '@/lib/rules/fleet-watch';
import { RECORDED_COLUMNS, type FleetRows, type UnitIdentity } from '@/lib/wire/fleet';

/** A poll as the recording has it; `rows` is null where it failed. */
export interface RecordedPoll {
  seenMs: number;
  rows: FleetRows | null;
}

const LAST_MS = 20 * 60_000;

/** The rows of a poll that differ from those of the poll before, by key; null: the unit is gone. */
const listChanged = (before: FleetRows | null, rows: FleetRows) => {
  const toStates = (of: FleetRows | null) =>
    new Map(
      of?.identities.flatMap((identity, row) =>
        identity
          ? [[identity.key, { identity, values: RECORDED_COLUMNS.map((name) => of.columns[name][row]!) }]]
          : [],
      ),
    );
  const [was, is] = [toStates(before), toStates(rows)] as Map<
    string,
    { identity: UnitIdentity; values: number[] }
  >[];
  const changed = [...is!].filter(([key, { values }]) => String(was!.get(key)?.values) !== String(values));
  const gone = [...was!].filter(([key]) => !is!.has(key));
  return [
    ...changed.map(([, each]) => each),
    ...gone.map(([, { identity }]) => ({ identity, values: RECORDED_COLUMNS.map(() => -1) })),
  ];
};

/** The last minutes of a recording that has these polls. */
export const recordPolls = (
  polls: readonly RecordedPoll[],
  changedSites: LastMinutes['changedSites'] = [],
  lastMs = LAST_MS,
): LastMinutes => {
  const toMs = polls.at(-1)!.seenMs;
  const fromMs = toMs - lastMs;
  const identities = new Map<string, { index: number; identity: UnitIdentity }>();
  let states: number[][] = [];
  let before: FleetRows | null = null;
  const coverage: LastMinutes['coverage'][number][] = [];
  for (const { seenMs, rows } of polls) {
    const state = rows === null ? 'failing' : 'answered';
    const last = coverage.at(-1);
    if (last?.state === state) last.toMs = seenMs;
    else coverage.push({ fromMs: last?.toMs ?? seenMs, toMs: seenMs, state, problem: null });
    if (rows === null) continue;
    for (const { identity, values } of listChanged(before, rows)) {
      const { key } = identity;
      identities.set(key, { index: identities.get(key)?.index ?? identities.size, identity });
      const { index } = identities.get(key)!;
      // Of the time before these minutes the newest row of each unit is known.
      if (seenMs <= fromMs) states = states.filter(([of]) => of !== index);
      states.push([index, seenMs - fromMs, ...values]);
    }
    before = rows;
  }
  return {
    identities: [...identities.values()].map(({ identity }) => identity),
    columns: [0, 1, ...RECORDED_COLUMNS].map((_, c) => Int32Array.from(states, (row) => row[c]!)),
    fixes: 0,
    fromMs,
    coverage: coverage.filter((_, i) => (coverage[i + 1] ?? coverage[i]!).toMs >= fromMs),
    changedSites,
  };
};
