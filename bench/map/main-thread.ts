import type { Browser, CDPSession, Page } from '@playwright/test';
import { percentile } from '../support/statistics';

/** What one action cost the page's main thread, milliseconds. */
export interface MainThreadCost {
  /** The longest task, by the clock on the wall and by the processor's. */
  longestMs: number;
  longestCpuMs: number;
  /** All tasks together, by the processor's clock. */
  totalCpuMs: number;
  /** The 95th percentile of what a sixtieth of a second took, where it took anything. */
  p95CpuMs: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

const TASK = 'ThreadControllerImpl::RunTask';
const MARK = 'bench-here';
const US_PER_MS = 1000;
const FRAME_US = 1e6 / 60;

const toCost = (events: readonly TraceEvent[]): MainThreadCost => {
  const marks = events.filter(({ name }) => name === MARK);
  const [from, to] = [marks[0], marks.at(-1)];
  if (!from || !to) throw new Error(`The trace holds ${marks.length} marks when 2 are expected.`);
  const tasks = events.filter(
    ({ name, ph, pid, tid, ts }) =>
      name === TASK && ph === 'X' && pid === from.pid && tid === from.tid && ts >= from.ts && ts <= to.ts,
  );
  const cpu = ({ tdur, dur }: TraceEvent) => tdur ?? dur ?? 0;
  const frames = new Map<number, number>();
  for (const task of tasks) {
    const frame = Math.floor(task.ts / FRAME_US);
    frames.set(frame, (frames.get(frame) ?? 0) + cpu(task));
  }
  return {
    longestMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur)) / US_PER_MS,
    longestCpuMs: Math.max(0, ...tasks.map(cpu)) / US_PER_MS,
    totalCpuMs: tasks.reduce((sum, task) => sum + cpu(task), 0) / US_PER_MS,
    p95CpuMs: percentile([...frames.values()], 0.95) / US_PER_MS,
  };
};

const readTrace = async (session: CDPSession, action: () => Promise<void>): Promise<TraceEvent[]> => {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', take);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'], excludedCategories: ['*'] },
  });
  try {
    await action();
  } finally {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    session.off('Tracing.dataCollected', take);
  }
  return events;
};

/** Measures an action from the browser's own trace: every task of the page's main thread, to the microsecond. */
export const measureMainThread = async (
  browser: Browser,
  page: Page,
  action: () => Promise<void>,
): Promise<MainThreadCost> => {
  const session = await browser.newBrowserCDPSession();
  const mark = () => page.evaluate((name) => void performance.mark(name), MARK);
  try {
    return toCost(
      await readTrace(session, async () => {
        await mark();
        await action();
        await mark();
      }),
    );
  } finally {
    await session.detach();
  }
};
