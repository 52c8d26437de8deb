'use client';

import { memo } from 'react';
import { StatusGlyph } from '@/components/map/status-glyph';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useNowMs } from '@/components/ui/use-now';
import { unitName } from '@/lib/view/unit-name';
import type { UnitRow } from '@/lib/view/unit-row';
import { PAST_STATUS_WORDS, STATUS_WORDS, offWords, pastWords, whatWords } from '@/lib/view/text';
import { FlagWords } from './flag-labels';
import { UnitAge } from './unit-age';
import styles from './unit-row.module.css';

interface UnitRowLineProps {
  unit: UnitRow;
  /** Where it is, in words; null where that is not known (yet). */
  place: string | null;
  skewMs: number;
}

/** One line of the list: who, where, what, and how sure. */
export const UnitRowLine = memo(function UnitRowLine({ unit, place, skewMs }: UnitRowLineProps) {
  const { status, headingDeg, flags, fixAtMs, coarseM } = unit;
  const old = useOldCopy();
  return (
    <>
      <StatusGlyph status={status} headingDeg={headingDeg} size={20} className={styles.glyph} />
      <span className={styles.line}>
        <span className={styles.who}>
          <span className="lh-unseen">{(old ? PAST_STATUS_WORDS : STATUS_WORDS)[status]}</span>{' '}
          <b className={styles.name}>{unitName(unit.identity)}</b>
          <FlagWords flags={flags} />
        </span>
        <span className={styles.what} data-status={status}>
          {old === null ? <What unit={unit} skewMs={skewMs} /> : pastWords(unit, old)}
        </span>
      </span>
      <span className={styles.line}>
        <span className={styles.place}>
          {place}
          {place === null || coarseM === 0 ? null : ` ${offWords(coarseM)}`}
        </span>
        <span className={styles.age}>
          {fixAtMs === null ? null : <UnitAge fixAtMs={fixAtMs} skewMs={skewMs} />}
        </span>
      </span>
    </>
  );
});

const What = ({ unit, skewMs }: { unit: UnitRow; skewMs: number }) => whatWords(unit, useNowMs() + skewMs);
