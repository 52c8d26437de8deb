import { Box } from '@mantine/core';
import { useReading, useServerNowMs } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useIsRendered } from '@/components/ui/use-now';
import { evidenceText } from '@/lib/view/explanations';
import { formatMoment } from '@/lib/view/format';
import type { UnitRow } from '@/lib/view/unit-row';
import { PAST_STATUS_LABELS, STATUS_LABELS, coarseText, datedAtMs, pastAt } from '@/lib/view/text';
import type { UnitDetail } from '@/lib/wire/unit';

const LINE = { c: 'var(--lh-dim)', fz: 13, lh: '19px' };

interface StatusLineProps {
  unit: UnitRow;
  /** Null while it is loading. */
  detail: UnitDetail | null;
}

export const StatusLine = ({ unit, detail }: StatusLineProps) => {
  const old = useOldCopy();
  const isRendered = useIsRendered();
  const { skewMs, past } = useReading();
  const serverNowMs = useServerNowMs();
  // A detail of another version may hold another status; then it is no evidence of this one.
  const fixedAtMs = datedAtMs(unit, serverNowMs);
  const coarse = coarseText(unit.coarseM);
  const isAbout = detail !== null && detail.reason === unit.reason;
  const momentText = (atMs: number): string => formatMoment(atMs - skewMs, serverNowMs - skewMs);
  const tail = coarse === '' ? null : ` · ${coarse}`;
  if (old !== null) {
    // Omits the lateness of the last fix, which would keep counting.
    const isProven = isAbout && (unit.reason === 'displaced' || unit.reason === 'inPlace');
    return (
      <Box component="p" {...LINE}>
        <b>{PAST_STATUS_LABELS[unit.status]}</b> at {pastAt(unit, old)}
        {isProven ? ` · ${evidenceText(detail, unit.fixAtMs, old.asOfMs)}` : null}
        {tail}
      </Box>
    );
  }
  return (
    <Box component="p" {...LINE}>
      {isRendered && fixedAtMs !== null ? (
        '…'
      ) : (
        <>
          <b style={{ color: `var(--lh-${unit.status}-text)` }}>{STATUS_LABELS[unit.status]}</b>
          {fixedAtMs === null ? null : ` at ${momentText(fixedAtMs)}, `}
          {isRendered || unit.sinceMs === null ? null : ` since ${momentText(unit.sinceMs)}`}
          {isAbout
            ? ` · ${evidenceText(detail, unit.fixAtMs, serverNowMs, unit.coarseM)}`
            : past === null
              ? ' · …'
              : null}
          {tail}
        </>
      )}
    </Box>
  );
};
