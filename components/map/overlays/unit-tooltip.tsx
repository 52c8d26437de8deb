import { STATUSES } from '@/lib/motion/status';
import type { Map as LeafletMap } from 'leaflet';
import type { Fleet } from '@/lib/wire/fleet';
import { formatWhole } from '@/lib/view/format';
import styles from './overlays.module.css';
import { StatusGlyph } from '../status-glyph';
import type { UnitSummary } from '../unit-summary';
import type { GlyphHit } from '../unit-layer/hit-test';

const WIDTH_PX = 248;
const ROOM_ABOVE_PX = 130;

interface UnitTooltipProps {
  map: LeafletMap;
  hit: GlyphHit;
  fleet: Fleet | null;
  describe(row: number): UnitSummary;
}

/** The unit or count under the pointer. The list shows the same to users without a pointer. */
export function UnitTooltip({ map, hit, fleet, describe }: UnitTooltipProps) {
  const width = map.getSize().x;
  const left = Math.max(8, Math.min(width - WIDTH_PX - 8, hit.x - WIDTH_PX / 2));
  const isBelow = hit.y < ROOM_ABOVE_PX;
  const style = { left, top: hit.y + (isBelow ? 22 : -20), width: WIDTH_PX };
  return (
    <div className={styles.tooltip} data-below={isBelow || undefined} style={style} aria-hidden="true">
      {hit.rows.length === 1 ? (
        <OneUnit summary={describe(hit.rows[0]!)} />
      ) : (
        fleet && <SeveralUnits rows={hit.rows} fleet={fleet} />
      )}
    </div>
  );
}

const OneUnit = ({ summary }: { summary: UnitSummary }) => (
  <>
    <div className={styles.head}>
      <StatusGlyph
        status={summary.status}
        headingDeg={summary.headingDeg}
        flagged={summary.flagged}
        size={18}
      />
      <strong>{summary.number}</strong>
      <span>{summary.speedText ?? summary.statusText}</span>
    </div>
    {summary.speedText && <div>{summary.statusText}</div>}
    {summary.placeText && <div>{summary.placeText}</div>}
    {summary.fixText && <div>Fix {summary.fixText}</div>}
  </>
);

const SeveralUnits = ({ rows, fleet }: { rows: readonly number[]; fleet: Fleet }) => {
  const { status, flags } = fleet.columns;
  const counted = STATUSES.map((name, i) => ({
    name,
    count: rows.filter((row) => status[row] === i).length,
  }));
  const flagged = rows.filter((row) => flags[row] !== 0).length;
  return (
    <>
      <div className={styles.head}>
        <strong>{formatWhole(rows.length)} trucks</strong>
      </div>
      <ul>
        {counted
          .filter(({ count }) => count > 0)
          .map(({ name, count }) => (
            <li key={name}>
              <StatusGlyph status={name} headingDeg={0} size={14} />
              {formatWhole(count)} {name}
            </li>
          ))}
        {flagged > 0 && <li style={{ color: 'var(--lh-flag-text)' }}>{formatWhole(flagged)} to check</li>}
      </ul>
    </>
  );
};
