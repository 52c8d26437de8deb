'use client';

import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useNowMs } from '@/components/ui/use-now';
import { momentWords } from '@/lib/view/clock';
import type { UnitRow } from '@/lib/view/unit-row';
import {
  PAST_STATUS_WORDS,
  STATUS_WORDS,
  coarseWords,
  datedAtMs,
  evidenceWords,
  pastAt,
} from '@/lib/view/text';
import type { UnitDetail } from '@/lib/wire/unit';
import styles from './status-line.module.css';

interface StatusLineProps {
  unit: UnitRow;
  /** Null while it is on its way. */
  detail: UnitDetail | null;
  skewMs: number;
}

/** What a unit does, since when, and what that was derived from. */
export const StatusLine = ({ unit, detail, skewMs }: StatusLineProps) => {
  const old = useOldCopy();
  const serverNowMs = useNowMs() + skewMs;
  // A detail of another version may still tell of another status; then it is no evidence of this one.
  const fixedAtMs = datedAtMs(unit, serverNowMs);
  const coarse = coarseWords(unit.coarseM);
  const isAbout = detail !== null && detail.reason === unit.reason;
  if (old !== null) {
    // What the last fix is late by would count on.
    const isProven = isAbout && (unit.reason === 'displaced' || unit.reason === 'inPlace');
    return (
      <p className={styles.line}>
        <b>{PAST_STATUS_WORDS[unit.status]}</b> at {pastAt(unit, old)}
        {isProven ? ` · ${evidenceWords(detail, unit.fixAtMs, old.asOfMs)}` : null}
        {coarse === '' ? null : ` · ${coarse}`}
      </p>
    );
  }
  return (
    <p className={styles.line}>
      <b data-status={unit.status}>{STATUS_WORDS[unit.status]}</b>
      {fixedAtMs === null ? null : ` at ${momentWords(fixedAtMs - skewMs, serverNowMs - skewMs)}, `}
      {unit.sinceMs === null ? null : ` since ${momentWords(unit.sinceMs - skewMs, serverNowMs - skewMs)}`}
      {isAbout ? ` · ${evidenceWords(detail, unit.fixAtMs, serverNowMs)}` : ' · …'}
      {coarse === '' ? null : ` · ${coarse}`}
    </p>
  );
};
