import { toCount } from '../output';
import type { ReplayFix, LineNote, Recording } from './recording';
import type { Outcome } from './report-sender';

/** How many lines of the file are named for one reason. */
const NAMED_LINES = 10;

export interface RefusedReport {
  status: number;
  code: string;
  /** the service's detail of the first of them */
  detail: string;
  lines: number[];
}

/** The result of a replay; the fields of `replay --json`. */
export interface ReplaySummary {
  rows: number;
  devices: number;
  vehiclesAdded: number;
  accepted: number;
  /** lines at 0,0, which the service acknowledges and does not store */
  withoutPosition: number[];
  refused: RefusedReport[];
  unreadable: LineNote[];
  withoutSpeed: LineNote[];
  /** fixes without a response, because the replay was stopped */
  unsent: number;
  durationMs: number;
}

export const createSummary = (recording: Recording): ReplaySummary => ({
  rows: recording.rows,
  devices: new Set(recording.fixes.map(({ deviceId }) => deviceId)).size,
  vehiclesAdded: 0,
  accepted: 0,
  withoutPosition: [],
  refused: [],
  unreadable: recording.unreadable,
  withoutSpeed: recording.withoutSpeed,
  unsent: recording.fixes.length,
  durationMs: 0,
});

/** Adds the outcome of one report. */
export const countOutcome = (summary: ReplaySummary, fixes: ReplayFix[], outcome: Outcome): void => {
  if (outcome.kind === 'stopped') return;
  summary.unsent -= fixes.length;
  if (outcome.kind === 'accepted') {
    const atZero = fixes.filter(({ lat, lng }) => lat === 0 && lng === 0);
    summary.accepted += fixes.length - atZero.length;
    summary.withoutPosition.push(...atZero.map(({ line }) => line));
    return;
  }
  const { status, code, detail } = outcome;
  let refusal = summary.refused.find((each) => each.code === code);
  if (refusal === undefined) summary.refused.push((refusal = { status, code, detail, lines: [] }));
  refusal.lines.push(...fixes.map(({ line }) => line));
};

export const toSummaryLines = (summary: ReplaySummary): string[] => {
  const { rows, devices, accepted, refused, unreadable, withoutSpeed, unsent, durationMs } = summary;
  const { withoutPosition } = summary;
  const seconds = durationMs / 1000;
  const rate = Math.round(accepted / Math.max(seconds, 0.001)).toLocaleString('en-US');
  return [
    `${toCount(rows, 'row')} of ${toCount(devices, 'device')} replayed in ${seconds.toFixed(1)} s.`,
    ...(summary.vehiclesAdded > 0
      ? [`  ${toCount(summary.vehiclesAdded, 'vehicle')} added to the roster`]
      : []),
    `  ${toCount(accepted, 'fix', 'fixes')} accepted (${rate} a second)`,
    ...(withoutPosition.length > 0
      ? [
          `  ${toCount(withoutPosition.length, 'report')} without a position, ${toLines(withoutPosition)}: at 0,0`,
        ]
      : []),
    ...refused.map(
      ({ status, code, detail, lines }) =>
        `  ${toCount(lines.length, 'fix', 'fixes')} refused with ${status} ${code}, ${toLines(lines)}: ${detail}`,
    ),
    ...group(unreadable).map(
      ({ message, lines }) => `  ${toCount(lines.length, 'row')} unreadable, ${toLines(lines)}: ${message}`,
    ),
    ...group(withoutSpeed).map(
      ({ message, lines }) =>
        `  ${toCount(lines.length, 'row')} sent without a speed, ${toLines(lines)}: ${message}`,
    ),
    ...(unsent > 0 ? [`  ${toCount(unsent, 'fix', 'fixes')} not sent: the replay was stopped`] : []),
  ];
};

const group = (notes: LineNote[]): { message: string; lines: number[] }[] => {
  const lines = new Map<string, number[]>();
  for (const { message, line } of notes) lines.set(message, [...(lines.get(message) ?? []), line]);
  return [...lines].map(([message, each]) => ({ message, lines: each }));
};

const toLines = (lines: number[]): string => {
  const named = [...lines].sort((a, b) => a - b).slice(0, NAMED_LINES);
  const more =
    lines.length > named.length ? ` and ${(lines.length - named.length).toLocaleString('en-US')} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${named.join(', ')}${more}`;
};
