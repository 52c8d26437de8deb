import type { Appointment, StopKind, Verdict } from '@/lib/arrivals/load';
import type { LatLng } from '@/lib/geo/units';
import type { Status } from '@/lib/motion/status';
import type { Precision } from './schema';

/** Where a shared truck is, as exactly as its link shows it. */
export interface SharedPosition extends LatLng {
  precision: Precision;
  /** It is within this distance, m; 0: the fix itself. */
  radiusM: number;
  /** When the fix was made, Unix ms: of the newest one that may be shown. */
  fixAtMs: number;
}

/** A stop of a shared load. Times are intervals, Unix ms: what happened lies between two fixes. */
export interface SharedStop extends LatLng {
  kind: StopKind;
  name: string;
  timeZone: string;
  appointment: Appointment | null;
  /** Null: not yet. */
  arrived: { afterMs: number | null; byMs: number } | null;
  left: { afterMs: number; byMs: number | null } | null;
  /** A later stop was visited, and this one was not seen to be. */
  isPassed: boolean;
}

/** When a truck arrives in 8 of 10 cases, Unix ms. */
export interface SharedWindow {
  fromMs: number;
  toMs: number;
  /** Enough earlier windows of its kind were graded to say how often such windows held. */
  isGraded: boolean;
}

/** A load or truck as its link shows it: each field that the link does not show is null or empty. */
export interface SharedItem {
  kind: 'load' | 'truck';
  /** References of the load, or the truck's number or alias. */
  title: string;
  truckNumber: string | null;
  driver: string | null;
  vin: string | null;
  plate: string | null;
  /** Null: nothing may be shown yet, or there is no truck. */
  position: SharedPosition | null;
  status: { status: Status; sinceMs: number | null } | null;
  speedKph: number | null;
  headingDeg: number | null;
  /** The stop that is next, by its index; null: none. */
  next: number | null;
  window: SharedWindow | null;
  /** To the next stop, m; rounded as coarsely as the position. */
  leftM: number | null;
  verdict: Verdict | null;
  stops: readonly SharedStop[];
  trail: readonly LatLng[];
  /** It has ended; nothing else of it is here. */
  endedMs: number | null;
}

/** The content of a link at a moment, without words. */
export interface ShareView {
  carrier: string;
  nowMs: number;
  /** What is shown is as of so long ago, min. */
  delayMin: number;
  items: readonly SharedItem[];
  /** What ends it, for the page to say. */
  end: { endsMs: number | null; on: 'arrival' | 'departure' | 'delivery' | null; at: string | null };
  /** The zone whose clock times are by where the reader's is not known. */
  timeZone: string;
  /** Sites that may show it in a frame. */
  frameOrigins: readonly string[];
}

/** What a link answers: what it shows, that it has ended, or nothing, without a reason. */
export type ShareAnswer =
  | { kind: 'open'; view: ShareView; /** Changes with what is shown. */ version: string }
  | { kind: 'ended'; carrier: string; endedMs: number }
  | { kind: 'nothing' };
