import { describe, expect, it } from 'vitest';
import { clockOf } from '@/testing/clock';
import { toCauseCode } from './failure';
import { createDatabaseHealth, noteAnswers } from './database-health';

const setUp = () => {
  const clock = { nowMs: 1000 };
  const now = () => clock.nowMs;
  const watch = createDatabaseHealth(clockOf(now));
  let status = 200;
  const fetch = noteAnswers(async () => new Response(null, { status }), watch);
  const answer = async (path: string, as: number) => {
    status = as;
    await fetch(new Request(`http://127.0.0.1${path}`));
    return watch.read().state;
  };
  return { clock, watch, answer };
};

const REPORT = '/tracking/ingest/osmand';
const UNITS = '/tracking/api/units/9000001';

describe('the state of the database', () => {
  it('follows from the answers that needed it, with its start time', async () => {
    const { clock, watch, answer } = setUp();
    expect(watch.read()).toEqual({ state: 'unknown', sinceMs: null, code: null });
    expect(await answer(UNITS, 200)).toBe('ok');
    clock.nowMs = 5000;
    expect(await answer(REPORT, 503)).toBe('away');
    clock.nowMs = 9000;
    expect(await answer(UNITS, 503)).toBe('away');
    expect(watch.read().sinceMs).toBe(5000);
    expect(await answer('/tracking/docs', 200)).toBe('away');
    expect(await answer(UNITS, 200)).toBe('ok');
  });

  it('stays full while reads succeed, until a report is stored', async () => {
    const { answer } = setUp();
    expect(await answer(REPORT, 507)).toBe('full');
    expect(await answer(UNITS, 200)).toBe('full');
    expect(await answer(REPORT, 404)).toBe('full');
    expect(await answer(REPORT, 200)).toBe('ok');
  });

  it('becomes unknown when no device has reported to a full disk for minutes', async () => {
    const { clock, watch, answer } = setUp();
    await answer(REPORT, 507);
    clock.nowMs += 5 * 60_000;
    expect(watch.read().state).toBe('full');
    clock.nowMs += 1;
    expect(watch.read().state).toBe('unknown');
  });
});

it('ignores an answer to an older request than the last one that set it', async () => {
  let answerLate: (response: Response) => void = () => undefined;
  const late = new Promise<Response>((resolve) => (answerLate = resolve));
  const now = () => 1000;
  const watch = createDatabaseHealth(clockOf(now));
  const answers = [late, Promise.resolve(new Response(null, { status: 200 }))];
  const fetch = noteAnswers(() => answers.shift()!, watch);
  const ask = () => fetch(new Request(`http://127.0.0.1${UNITS}`));
  const first = ask();
  await ask();
  answerLate(new Response(null, { status: 503 }));
  await first;
  expect(watch.read().state).toBe('ok');
});

it("finds the code of an error's cause, and none of its text", () => {
  const root = Object.assign(new Error('connect to 10.0.0.7 as planted'), { code: 'ECONNREFUSED' });
  expect(toCauseCode(new Error('outer', { cause: new Error('inner', { cause: root }) }))).toBe(
    'ECONNREFUSED',
  );
  expect(toCauseCode(Object.assign(new Error(''), { code: 'no such code' }))).toBeNull();
});
