import { useState } from 'react';
import { IconChevronDown } from '@tabler/icons-react';
import { STATUSES } from '@/lib/wire/status';
import styles from './map-legend.module.css';
import { SYMBOL_HEADING_DEG } from './glyph-shapes';
import { StatusGlyph } from './status-glyph';

/** From this width on there is room for it. */
const OPEN_FROM = '(min-width: 1280px)';

/** What the symbols mean. Folded until asked for where the map is small. */
export function MapLegend() {
  const [isOpen, setOpen] = useState(() => window.matchMedia(OPEN_FROM).matches);
  return (
    <div className={styles.legend}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls="map-legend"
        onClick={() => setOpen(!isOpen)}
      >
        Legend
        <IconChevronDown size={14} stroke={2} aria-hidden />
      </button>
      <ul id="map-legend" hidden={!isOpen}>
        {STATUSES.map((status) => (
          <li key={status}>
            <StatusGlyph status={status} headingDeg={SYMBOL_HEADING_DEG[status]} size={16} />
            {status}
          </li>
        ))}
        <li>
          <StatusGlyph status="stopped" flagged size={16} />
          check
        </li>
        <li>
          <span className={styles.count} aria-hidden="true">
            3
          </span>
          units here
        </li>
      </ul>
    </div>
  );
}
