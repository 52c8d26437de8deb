import { fixOldText, formatMoment, shortFixAgeText } from '@/lib/view/format';
import { STATUS_LABELS, datedAtMs, pastText, speedText, statusText } from '@/lib/view/text';
import { unitName, unitTitle } from '@/lib/view/unit-name';
import type { UnitRow } from '@/lib/view/unit-row';
import type { Status } from '@/lib/motion/status';
import type { OldCopy } from '../fleet-state/old-copy';

/** A unit as the map's tooltip, popup and marker describe it; null where it is not known. */
export interface UnitSummary {
  number: string;
  /** The number with its kind: "Truck 412", "Plate TX 4107". */
  title: string;
  status: Status;
  headingDeg: number | null;
  flagged: boolean;
  statusText: string;
  speedText: string | null;
  placeText: string | null;
  /** The age of its fix: "12 s". */
  ageText: string | null;
  /** The same after "fix": "12 s old", "at 10:12 AM". */
  fixText: string | null;
}

/** Describes a unit; of an old copy, as of its moment. `nowMs` is server time, `skewMs` the server's clock less the browser's. */
export const toUnitSummary = (
  unit: UnitRow,
  placeOf: ((unit: UnitRow) => string | null) | null,
  nowMs: number,
  skewMs: number,
  old: OldCopy | null,
): UnitSummary => {
  const { identity, status, headingDeg, flags } = unit;
  const shared = {
    number: unitName(identity),
    title: unitTitle(identity),
    status,
    headingDeg,
    flagged: flags.length > 0,
    placeText: placeOf?.(unit) ?? null,
  };
  return { ...shared, ...(old === null ? toPresent(unit, nowMs) : toPast(unit, skewMs, old)) };
};

type AgingTexts = Pick<UnitSummary, 'statusText' | 'speedText' | 'ageText' | 'fixText'>;

const toPresent = (unit: UnitRow, nowMs: number): AgingTexts => {
  const { status, fixAtMs } = unit;
  const speed = speedText(unit);
  const text = statusText(unit, nowMs);
  return {
    statusText: text === speed ? STATUS_LABELS[status] : text,
    // An old speed is shown with its time, in the status text.
    speedText: status === 'moving' && datedAtMs(unit, nowMs) === null ? speed : null,
    ageText: fixAtMs === null ? null : shortFixAgeText(nowMs - fixAtMs),
    fixText: fixAtMs === null ? null : fixOldText(nowMs - fixAtMs),
  };
};

const toPast = (unit: UnitRow, skewMs: number, old: OldCopy): AgingTexts => {
  const fixAt = unit.fixAtMs === null ? null : formatMoment(unit.fixAtMs - skewMs, old.asOfMs - skewMs);
  return {
    statusText: pastText(unit, old),
    speedText: null,
    ageText: fixAt,
    fixText: fixAt && `at ${fixAt}`,
  };
};

/** A unit's name for a screen reader: title, status, speed, place, age. */
export const toUnitText = (summary: UnitSummary): string =>
  [
    summary.title,
    summary.statusText,
    summary.speedText,
    summary.placeText,
    summary.fixText && `fix ${summary.fixText}`,
    summary.flagged ? 'needs a check' : null,
  ]
    .filter(Boolean)
    .join(', ');
