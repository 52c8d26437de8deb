/**
 * The state that a list of records gives in whatever order they arrive: a late one is inserted among the newest, which
 * are replayed from the state before them. Changed in place: each unit has one.
 */
export interface Timeline<S, R> {
  state: S;
  /** The state before the first record of `records`. */
  before: S;
  /** The newest records, in order. */
  records: readonly R[];
  /** Whether records older than those of `records` have been dropped. */
  isCut: boolean;
}

export const createTimeline = <S, R>(state: S): Timeline<S, R> => ({
  state,
  before: state,
  records: [],
  isCut: false,
});

/** Drops all records: later ones are applied to the state as it is. */
export const dropRecords = <S, R>(timeline: Timeline<S, R>): void => {
  timeline.before = timeline.state;
  timeline.records = [];
  timeline.isCut = true;
};

/** Replays these records, in their order, from the state before them. */
export const replay = <S, R>(
  timeline: Timeline<S, R>,
  before: S,
  records: readonly R[],
  fold: (state: S, record: R) => S,
): void => {
  timeline.before = before;
  timeline.records = records;
  timeline.state = records.reduce(fold, before);
};

/** Drops the older half, so that between `kept` and twice as many records are replayed at most. */
const cut = <S, R>(timeline: Timeline<S, R>, fold: (state: S, record: R) => S, kept: number): void => {
  const { records, before, state } = timeline;
  if (records.length < 2 * kept) return;
  // Where no record can be late, the newest is held only to recognize a repeat.
  timeline.before = kept === 0 ? state : records.slice(0, -kept).reduce(fold, before);
  if (records.length > 1) timeline.records = records.slice(-Math.max(1, kept));
  timeline.isCut = true;
};

const insert = <S, R extends { atMs: number }>(
  timeline: Timeline<S, R>,
  record: R,
  fold: (state: S, record: R) => S,
): void => {
  const { records, before, isCut } = timeline;
  let at = records.length;
  while (at > 0 && records[at - 1]!.atMs > record.atMs) at--;
  if (records[at - 1]?.atMs === record.atMs || (at === 0 && isCut)) return;
  replay(timeline, before, [...records.slice(0, at), record, ...records.slice(at)], fold);
};

/**
 * Inserts a record by its own time (`atMs`). Of two older ones with one time the first to arrive counts, of two newest
 * ones both. With `kept` 0 late records are left out.
 */
export const append = <S, R extends { atMs: number }>(
  timeline: Timeline<S, R>,
  record: R,
  fold: (state: S, record: R) => S,
  kept: number,
): void => {
  const { records } = timeline;
  const newest = records[records.length - 1];
  if (newest && record.atMs < newest.atMs) insert(timeline, record, fold);
  else {
    timeline.state = fold(timeline.state, record);
    // A new list, because push leaves spare capacity in the old one.
    timeline.records = kept === 0 ? [record] : records.concat([record]);
  }
  cut(timeline, fold, kept);
};
