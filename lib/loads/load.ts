import type { FreeTime } from '@/lib/arrivals/free-time';
import type { Appointment, JudgedStop, LoadState, StopKind, Verdict } from '@/lib/arrivals/load';
import type { ArrivalWindow } from '@/lib/arrivals/arrivals';
import { DAY_MS, type TimeRange } from '@/lib/base/time';
import type { CheckResult } from './checks';
import type { LaterStop } from '@/lib/arrivals/later-stops';
import type { NoWindow } from '@/lib/rules/load-watch';

/** Loads that ended are listed with those under way for so long. */
export const LISTED_MS = 7 * DAY_MS;

/** A stop of a load as it is stored. */
export interface StoredStop {
  kind: StopKind;
  siteId: number | null;
  name: string;
  address: string;
  lat: number;
  lng: number;
  timeZone: string;
  appointment: Appointment | null;
  /** Free minutes of the stop itself; null: those of the terms. */
  freeMin: number | null;
  contactName: string;
  contactPhone: string;
  /** Its site is a circle of its own, not a site of the fleet. */
  isOwn: boolean;
}

/** A stop of a load as pages show it. */
export interface LoadStop extends StoredStop {
  /** Its free time, also by the terms of detention; null: none was agreed. */
  free: FreeTime | null;
}

/** GET /api/fleets/:usdot/loads: a load as it is now. */
export interface Load {
  id: number;
  reference: string;
  po: string;
  bol: string;
  customer: string;
  note: string;
  tags: string[];
  endedMs: number | null;
  endedBy: string | null;
  madeBy: string;
  madeMs: number;
  stops: LoadStop[];
  trucks: { unit: string; fromMs: number; toMs: number | null; madeBy: string }[];
  state: LoadState;
  next: number | null;
  judged: readonly JudgedStop[];
  verdict: Verdict;
  window: Pick<ArrivalWindow, 'fromMs' | 'toMs' | 'by' | 'fixAtMs' | 'distM' | 'grades' | 'restMs'> | null;
  noWindow: NoWindow | null;
  /** When polls judged it last, Unix ms; null: none did. */
  seenMs: number | null;
}

/** A load by itself, with what can be said of each of its stops after the next one; null: it is none of these. */
export interface LoadInFull extends Load {
  later: readonly (LaterStop | null)[];
}

/** Something that happened to a load, Unix ms. */
export interface LoadHistory {
  atMs: number;
  /** When it was found. */
  seenMs: number;
  kind: string;
  /** The stop; -1: none. */
  position: number;
  unit: string;
  /** Who did it by hand; null: it was judged. */
  actor: string | null;
  /** Of the kind `checked`: what was found of what was typed at the dock; absent: of another kind. */
  check?: { result: CheckResult; typed: string };
}

/** Loads by when they ended, and by a text in their references or customer; empty: all. */
export interface EndedLoads extends TimeRange {
  find: string;
}
