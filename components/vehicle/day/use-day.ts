import { useEffect, useEffectEvent, useMemo } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { isTyping, isWithin, OVERLAID } from '@/components/ui/shortcuts';
import { daysRange, type CivilDay } from '@/lib/trips/days';
import { useTrail } from '@/lib/past/queries';
import { decodeFixes, type TrailAnswer } from '@/lib/past/schema';
import { SEGMENT_LABELS, reasonText } from '@/lib/past/text';
import { positionAt } from '@/lib/trips/trail';
import { segmentAt, toDay, type Day } from '@/lib/trips/trips';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { formatDuration } from '@/lib/view/format';
import type { LatLng } from '@/lib/geo/units';
import type { DayPlayer } from '@/components/trail/day-player';
import { motionText } from '@/components/trail/trail-path';

/** A day that has not ended grows; it is read again this often, and a longer range less often. */
const GROWS_EVERY_MS = 15_000;

export interface DayRange {
  fromMs: number;
  toMs: number;
  /** How often it is read again while it grows. */
  everyMs: number | null;
}

export const useDayRange = (civilDay: CivilDay, days: number, zone: string, nowMs: number): DayRange => {
  const range = useMemo(() => daysRange(civilDay, days, zone), [civilDay, days, zone]);
  const everyMs = range.toMs <= nowMs ? null : days * GROWS_EVERY_MS;
  return useMemo(() => ({ ...range, everyMs }), [range, everyMs]);
};

/** Cuts the recording of a range into trips and stops. */
export const toReadDay =
  ({ fromMs, toMs }: DayRange) =>
  ({ fixes, coverage, nowMs }: TrailAnswer): Day =>
    toDay({ fixes: decodeFixes(fixes), coverage, fromMs, toMs, nowMs }, DEFAULT_MOTION_SETTINGS);

/** A unit's day or days, read and cut into trips and stops; null while it is loaded, with what went wrong. */
export const useDay = (vin: string, range: DayRange): { day: Day | null; error: Error | null } => {
  const { data, error, failureReason } = useTrail(useUsdot(), vin, range, range.everyMs);
  const day = useMemo(() => (data === undefined ? null : toReadDay(range)(data)), [data, range]);
  return { day, error: day === null ? (error ?? failureReason) : null };
};

/** The server's clock, Unix ms, to the minute: it decides which day is today. */
export const useServerMinute = (nowMs: number): number => {
  const { skewMs } = useReading();
  return Math.floor((nowMs + skewMs) / 60_000) * 60_000;
};

/** What is known of a moment in words: "61 mph W, fix 8 s before, Wheeling, WV". */
export const describeMoment = (day: Day, placeAt: ((at: LatLng) => string) | null, atMs: number): string => {
  const segment = segmentAt(day, atMs);
  if (segment === undefined || segment.kind === 'ahead') return SEGMENT_LABELS.ahead;
  const at = positionAt(day.trail, atMs);
  const place = at === null || placeAt === null ? null : placeAt(at);
  if (segment.kind === 'silent' || segment.kind === 'notRecorded') {
    const reason = segment.kind === 'notRecorded' ? reasonText(segment.reason) : 'Truck silent';
    return [reason, at?.isBridged ? 'position on a straight line' : null, place].filter(Boolean).join(' · ');
  }
  const sinceFixMs = at === null ? 0 : atMs - day.trail.points[at.index]!.fixAtMs;
  return [motionText(segment.kind, at), `fix ${formatDuration(sinceFixMs)} before`, place]
    .filter(Boolean)
    .join(' · ');
};

const MAP = '.leaflet-container';
const HANDLES_KEYS = `${OVERLAID}, table`;

/** Space plays and the arrows step from fix to fix, except where a control handles these keys itself. */
export const usePlayerKeys = (player: DayPlayer, day: Day | null): void => {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key } = event;
    const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (day === null || isModified || event.defaultPrevented) return;
    if (isTyping(target) || isWithin(target, HANDLES_KEYS)) return;
    if (key === ' ' && !isWithin(target, 'button, a, summary')) player.toggle();
    else if (key === 'ArrowLeft' && !isWithin(target, MAP)) player.step(day.trail, -1);
    else if (key === 'ArrowRight' && !isWithin(target, MAP)) player.step(day.trail, 1);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
};
