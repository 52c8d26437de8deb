import { median } from '../support/statistics';
import type { LoadedRequest, PhoneLoad } from './phone-load';

const CHART_CHARACTERS = 48;

/** The load whose live map is the median of these. */
const toMedianLoad = (loads: readonly PhoneLoad[]): PhoneLoad => {
  const middleMs = median(loads.map(({ liveMapMs }) => liveMapMs));
  return loads.find(({ liveMapMs }) => liveMapMs === middleMs)!;
};

/** Light while the request waits for a connection, dark from when it is sent. */
const toBar = ({ startMs, sentMs, endMs }: LoadedRequest, totalMs: number): string => {
  const [start, sent, end] = [startMs, sentMs, endMs].map((ms) =>
    Math.floor((ms / totalMs) * (CHART_CHARACTERS - 1)),
  ) as [number, number, number];
  return `${' '.repeat(start)}${'░'.repeat(Math.max(0, sent - start))}${'█'.repeat(Math.max(1, end - sent + 1))}`.padEnd(
    CHART_CHARACTERS,
  );
};

const toLine = (request: LoadedRequest, totalMs: number): string =>
  [
    ...[request.startMs, request.sentMs, request.endMs].map((ms) => ms.toFixed(0).padStart(6)),
    (request.bytes / 1000).toFixed(1).padStart(7),
    `│${toBar(request, totalMs)}│`,
    request.path,
  ].join(' ');

/** The requests of the median load: milliseconds, kilobytes, bar and path. */
export const toWaterfall = (loads: readonly PhoneLoad[]): string => {
  const { requests, firstTruckMs, liveMapMs } = toMedianLoad(loads);
  const toMoment = (path: string, ms: number) => ({ path, startMs: ms, sentMs: ms, endMs: ms, bytes: 0 });
  const moments = [toMoment('first truck drawn', firstTruckMs), toMoment('live map drawn', liveMapMs)];
  const all = [...requests, ...moments].sort((a, b) => a.startMs - b.startMs);
  const totalMs = Math.max(...all.map(({ endMs }) => endMs));
  return [' start   sent end ms      KB', ...all.map((request) => toLine(request, totalMs))].join('\n');
};
