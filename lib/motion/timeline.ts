/**
 * What a list of records comes to, whatever order they arrive in.
 *
 * A record that is newer than all others is added to the state; one that comes late takes its place among the
 * newest, which are then told again from the state before them. So the state is that of the records in
 * order, as long as none comes after more than a few newer ones. Changed in place: there is one a unit.
 */
export interface Timeline<S, R> {
  state: S;
  /** The state before the first record of `told`. */
  before: S;
  /** The newest records, in order. */
  told: readonly R[];
  /** Whether older records than those of `told` have been let go. */
  isCut: boolean;
}

export const createTimeline = <S, R>(state: S): Timeline<S, R> => ({
  state,
  before: state,
  told: [],
  isCut: false,
});

/** Lets all records go: those that come later are told from the state as it is. */
export const letGo = <S, R>(timeline: Timeline<S, R>): void => {
  timeline.before = timeline.state;
  timeline.told = [];
  timeline.isCut = true;
};

/** Tells these records, in their order, from the state before them. */
export const retell = <S, R>(
  timeline: Timeline<S, R>,
  before: S,
  told: readonly R[],
  fold: (state: S, record: R) => S,
): void => {
  timeline.before = before;
  timeline.told = told;
  timeline.state = told.reduce(fold, before);
};

/** Lets the older half go, so that between `kept` and twice as many records are told again at most. */
const cut = <S, R>(timeline: Timeline<S, R>, fold: (state: S, record: R) => S, kept: number): void => {
  const { told, before, state } = timeline;
  if (told.length < 2 * kept) return;
  // Where nothing can come late, the newest is held only to know it again.
  timeline.before = kept === 0 ? state : told.slice(0, -kept).reduce(fold, before);
  if (told.length > 1) timeline.told = told.slice(-Math.max(1, kept));
  timeline.isCut = true;
};

const insert = <S, R extends { atMs: number }>(
  timeline: Timeline<S, R>,
  record: R,
  fold: (state: S, record: R) => S,
): void => {
  const { told, before, isCut } = timeline;
  let at = told.length;
  while (at > 0 && told[at - 1]!.atMs > record.atMs) at--;
  if (told[at - 1]?.atMs === record.atMs || (at === 0 && isCut)) return;
  retell(timeline, before, [...told.slice(0, at), record, ...told.slice(at)], fold);
};

/**
 * Tells one more record, by its own time (`atMs`). Of two with one time, the first to come stands among older
 * ones, and both count, as they come, where they are the newest. With `kept` 0 late records are left out.
 */
export const tell = <S, R extends { atMs: number }>(
  timeline: Timeline<S, R>,
  record: R,
  fold: (state: S, record: R) => S,
  kept: number,
): void => {
  const { told } = timeline;
  const newest = told[told.length - 1];
  if (newest && record.atMs < newest.atMs) insert(timeline, record, fold);
  else {
    timeline.state = fold(timeline.state, record);
    // Not pushed to: a list that was has room for many more.
    timeline.told = kept === 0 ? [record] : told.concat([record]);
  }
  cut(timeline, fold, kept);
};
