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
  /** The state after the first `middleAt` records of `told`. */
  middle: S;
  middleAt: number;
  /** The newest records, in order. */
  told: R[];
  /** Whether older records than those of `told` have been let go. */
  isCut: boolean;
}

export const createTimeline = <S, R>(state: S): Timeline<S, R> => ({
  state,
  before: state,
  middle: state,
  middleAt: 0,
  told: [],
  isCut: false,
});

/** Remembers the newest record alone: nothing can come late. */
const keepNewest = <S, R>(timeline: Timeline<S, R>): void => {
  timeline.before = timeline.state;
  timeline.middle = timeline.state;
  timeline.middleAt = 0;
  // A list of its own, because one that was pushed to has room for many.
  timeline.told = timeline.told.slice(-1);
  timeline.isCut = true;
};

/** Lets the older half go, so that between `kept` and twice as many records are told again at most. */
const cut = <S, R>(timeline: Timeline<S, R>, kept: number): void => {
  if (kept === 0) return keepNewest(timeline);
  const { told, middleAt } = timeline;
  if (told.length - middleAt < kept) return;
  if (middleAt > 0) {
    timeline.before = timeline.middle;
    told.splice(0, middleAt);
    timeline.isCut = true;
  }
  timeline.middle = timeline.state;
  timeline.middleAt = told.length;
};

/** Tells these records, in their order, from the state before them. */
export const retell = <S, R>(
  timeline: Timeline<S, R>,
  before: S,
  told: R[],
  fold: (state: S, record: R) => S,
): void => {
  timeline.before = before;
  timeline.told = told;
  timeline.middle = before;
  let state = before;
  for (let i = 0; i < told.length; i++) {
    state = fold(state, told[i]!);
    if (i === timeline.middleAt - 1) timeline.middle = state;
  }
  timeline.state = state;
};

const insert = <S, R extends { atMs: number }>(
  timeline: Timeline<S, R>,
  record: R,
  fold: (state: S, record: R) => S,
): void => {
  const { told } = timeline;
  let at = told.length;
  while (at > 0 && told[at - 1]!.atMs > record.atMs) at--;
  if (told[at - 1]?.atMs === record.atMs || (at === 0 && timeline.isCut)) return;
  told.splice(at, 0, record);
  if (at < timeline.middleAt) timeline.middleAt++;
  retell(timeline, timeline.before, told, fold);
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
    told.push(record);
  }
  cut(timeline, kept);
};
