import 'server-only';
import { settleWithin } from '../schedule';
import type { Schedule } from '../schedule';
import type { LiveSettings } from '../settings';

/** The first poll after a rest, which concurrent requests share. */
export interface WarmUp {
  /** There are units, or the reason why there are none is known. */
  announcePublished(): void;
  /** The roster and the account were requested too. */
  announceDone(): void;
  /** Resolves when all of it is done, soon after there are units, or after a timeout. */
  wait(): Promise<void>;
}

const createSignal = (): { promise: Promise<void>; resolve: () => void } => {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

export const createWarmUp = (
  schedule: Schedule,
  { firstAnswerMs, sideGraceMs }: Pick<LiveSettings, 'firstAnswerMs' | 'sideGraceMs'>,
): WarmUp => {
  const published = createSignal();
  const done = createSignal();
  const longEnough = settleWithin(done.promise, firstAnswerMs, schedule);
  const soonAfterUnits = published.promise.then(() => settleWithin(done.promise, sideGraceMs, schedule));
  return {
    announcePublished: published.resolve,
    announceDone: done.resolve,
    wait: () => Promise.race([longEnough, soonAfterUnits]),
  };
};
