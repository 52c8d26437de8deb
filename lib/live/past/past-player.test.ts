import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import type { Fleet } from '@/lib/wire/fleet';
import { ServerProblemError, ServerUnreachableError } from '@/lib/browser/fetch-json';
import { PastPlayer } from './past-player';

const AT = Date.UTC(2026, 10, 17, 19, 36);
const LATEST = AT + 3_600_000;
const fleet: Fleet = createTestFleet([]);

interface Request {
  atMs: number;
  signal: AbortSignal;
  answer: () => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

/** A player, and the requests that it has sent. */
const start = (atMs = AT, latestMs = () => LATEST) => {
  const requests: Request[] = [];
  const onMoment = vi.fn();
  const player = new PastPlayer({
    start: { atMs, speed: 1 },
    latestMs,
    onMoment,
    read: (requestedMs, signal) =>
      new Promise((resolve, reject) => {
        const settle = async (run: () => void): Promise<void> => {
          run();
          await vi.advanceTimersByTimeAsync(0);
        };
        requests.push({
          atMs: requestedMs,
          signal,
          answer: () => settle(() => resolve(fleet)),
          fail: (error) => settle(() => reject(error)),
        });
      }),
  });
  return { player, requests, onMoment, last: () => requests.at(-1)! };
};

const problemOf = (code: string) =>
  new ServerProblemError(404, { title: 'Not recorded', status: 404, code, detail: 'Not running.' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a chosen moment', () => {
  it('is shown without motion, by its own clock', async () => {
    const { player, requests } = start(AT + 999);
    expect(requests.map(({ atMs }) => atMs)).toEqual([AT]);
    expect(player.read()).toMatchObject({ isLoading: true, reading: null });
    await requests[0]!.answer();
    expect(player.read()).toMatchObject({
      isLoading: false,
      reading: { fleet, skewMs: 0, receivedAtMs: AT, failure: null, past: { atMs: AT, pace: 0 } },
    });
  });

  it('is never later than what can be known', async () => {
    const { player, last } = start();
    player.seek(LATEST + 60_000);
    expect(last().atMs).toBe(LATEST);
  });

  it('of a link is shown once an answer tells that the clock of this browser runs behind', async () => {
    let latestMs = AT - 600_000;
    const { player, requests } = start(AT, () => latestMs);
    expect(requests[0]!.atMs).toBe(AT - 600_000);
    latestMs = LATEST;
    await requests[0]!.answer();
    expect(requests.map(({ atMs }) => atMs)).toEqual([AT - 600_000, AT]);
    await requests[1]!.answer();
    expect(player.read()).toMatchObject({ atMs: AT, isLoading: false });
    player.seek(AT - 60_000);
    await requests[2]!.answer();
    expect(player.read().atMs).toBe(AT - 60_000);
  });

  it('replaces the one before, whose request is aborted', async () => {
    const { player, requests, last, onMoment } = start();
    player.seek(AT + 60_000);
    expect(requests[0]!.signal.aborted).toBe(true);
    await requests[0]!.fail(new DOMException('aborted', 'AbortError') as Error);
    expect(player.read().problem).toBeNull();
    await last().answer();
    expect(player.read().reading?.past?.atMs).toBe(AT + 60_000);
    expect(onMoment).toHaveBeenLastCalledWith({ atMs: AT + 60_000, speed: 1 });
  });

  it('of the address is taken, but not the one that was reported to it', async () => {
    const { player, requests, last } = start();
    await last().answer();
    player.follow({ atMs: AT, speed: 1 });
    expect(requests).toHaveLength(1);
    player.follow({ atMs: AT - 60_000, speed: 60 });
    expect(last().atMs).toBe(AT - 60_000);
    expect(player.read().speed).toBe(60);
  });
});

describe('a dragged bar', () => {
  it('requests the newest moment after each answer, and at once when it is released', async () => {
    const { player, requests, last } = start();
    await last().answer();
    player.drag(AT + 10_000);
    player.drag(AT + 20_000);
    await vi.advanceTimersByTimeAsync(150);
    expect(requests.map(({ atMs }) => atMs)).toEqual([AT, AT + 20_000]);
    player.drag(AT + 30_000);
    player.drag(AT + 40_000);
    await last().answer();
    expect(player.read().reading?.past?.atMs).toBe(AT + 20_000);
    await vi.advanceTimersByTimeAsync(150);
    expect(last().atMs).toBe(AT + 40_000);
    player.seek(AT + 50_000);
    expect(requests[2]!.signal.aborted).toBe(true);
    expect(last().atMs).toBe(AT + 50_000);
  });

  it('waits for the request under way where it is released on that moment', async () => {
    const { player, requests, last } = start();
    await last().answer();
    player.drag(AT + 10_000);
    await vi.advanceTimersByTimeAsync(150);
    player.seek(AT + 10_000);
    expect(requests).toHaveLength(2);
    await last().answer();
    expect(player.read()).toMatchObject({ isLoading: false, reading: { past: { atMs: AT + 10_000 } } });
  });
});

describe('playing', () => {
  it('shows a moment each second, requested a second ahead', async () => {
    const { player, requests, last } = start();
    await last().answer();
    player.setSpeed(60);
    player.play();
    await vi.advanceTimersByTimeAsync(0);
    expect(last().atMs).toBe(AT + 60_000);
    await last().answer();
    expect(player.read().reading?.past?.atMs).toBe(AT);
    await vi.advanceTimersByTimeAsync(1000);
    expect(player.read().reading?.past).toEqual({ atMs: AT + 60_000, pace: 60 });
    expect(requests).toHaveLength(3);
    // A slow answer holds the clock.
    await vi.advanceTimersByTimeAsync(5000);
    expect(player.read().atMs).toBe(AT + 60_000);
    expect(requests).toHaveLength(3);
  });

  it('at the pace of life keeps a fleet for some seconds, and pauses on the moment itself', async () => {
    const { player, requests, last } = start();
    await last().answer();
    player.play();
    await vi.advanceTimersByTimeAsync(3000);
    expect(player.read().reading?.past).toEqual({ atMs: AT + 3000, pace: 1 });
    expect(requests).toHaveLength(1);
    player.pause();
    expect(last().atMs).toBe(AT + 3000);
    await last().answer();
    expect(player.read().reading?.past).toEqual({ atMs: AT + 3000, pace: 0 });
  });

  it('keeps a fleet for some seconds too once it was played up to the present', async () => {
    const startMs = performance.now();
    const { player, requests } = start(LATEST, () => LATEST + Math.floor(performance.now() - startMs));
    player.setSpeed(600);
    await requests[0]!.answer();
    // The clock has gone on when it is first read.
    await vi.advanceTimersByTimeAsync(1500);
    player.play();
    await vi.advanceTimersByTimeAsync(2500);
    expect(requests).toHaveLength(1);
  });

  it('ends at the present', async () => {
    const { player, last } = start(LATEST - 60_000);
    await last().answer();
    player.setSpeed(600);
    player.play();
    await vi.advanceTimersByTimeAsync(0);
    expect(last().atMs).toBe(LATEST);
    await last().answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(player.read()).toMatchObject({ atMs: LATEST, isPlaying: false });
  });

  it('goes on through a time without recording, which is empty', async () => {
    const { player, last } = start();
    await last().fail(problemOf('not-recorded'));
    expect(player.read()).toMatchObject({
      problem: { kind: 'notRecorded', atMs: AT, message: 'Not running.' },
      reading: { fleet: null, receivedAtMs: null, failure: null, past: { atMs: AT } },
    });
    player.setSpeed(600);
    player.play();
    await vi.advanceTimersByTimeAsync(0);
    await last().answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(player.read()).toMatchObject({ isPlaying: true, problem: null, reading: { fleet } });
  });
});

describe('a failure', () => {
  it('keeps the moment that is shown until it is tried again', async () => {
    const { player, last, onMoment } = start();
    await last().answer();
    player.setSpeed(60);
    player.play();
    await vi.advanceTimersByTimeAsync(0);
    await last().fail(new ServerUnreachableError('The Linehaul server does not answer.'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(player.read()).toMatchObject({
      isPlaying: false,
      problem: { kind: 'failed', atMs: AT + 60_000, message: 'The Linehaul server does not answer.' },
      reading: { fleet, failure: null, past: { atMs: AT, pace: 0 } },
    });
    expect(onMoment).toHaveBeenLastCalledWith({ atMs: AT, speed: 60 });
    player.retry();
    await vi.advanceTimersByTimeAsync(0);
    await last().answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(player.read()).toMatchObject({
      isPlaying: true,
      problem: null,
      reading: { past: { atMs: AT + 60_000 } },
    });
  });

  it('of a refused request is one of the whole page', async () => {
    const { player, last } = start();
    await last().fail(new ServerProblemError(401, { title: '', status: 401, code: 'sign-in-needed' }));
    expect(player.read().reading?.failure).toMatchObject({ kind: 'refused', code: 'sign-in-needed' });
  });
});
