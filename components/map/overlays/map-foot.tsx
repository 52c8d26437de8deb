import { useState } from 'react';
import { IconChevronDown } from '@tabler/icons-react';
import type { Map as LeafletMap } from 'leaflet';
import { STATUSES } from '@/lib/motion/status';
import { STATUS_LABELS } from '@/lib/view/text';
import { SYMBOL_HEADING_DEG } from '../glyph-shapes';
import { useMapEvents } from '../leaflet-hooks';
import { StatusGlyph } from '../status-glyph';
import { Attribution, type AttributionProps } from './attribution';
import styles from '../fleet-map.module.css';
import { toScaleBars } from './scale-bar';
import type { MapPadding } from '../fleet-map-props';

/** From this width on there is room for the legend. */
const OPEN_FROM = 'screen and (min-width: 1280px)';
const MAX_SCALE_PX = 96;

interface MapFootProps extends AttributionProps {
  map: LeafletMap;
  padding: MapPadding;
  hasLegend: boolean;
  hasScale: boolean;
}

export const MapFoot = ({
  map,
  padding: { right, bottom, left },
  hasLegend,
  hasScale,
  ...credits
}: MapFootProps) => (
  <div className={styles.foot} style={{ right, bottom, left }}>
    {hasLegend ? <Legend /> : null}
    {hasScale ? <Scale map={map} /> : null}
    <Attribution {...credits} />
  </div>
);

/** The meaning of the symbols. Folded at first where the map is small. */
const Legend = () => {
  const [isOpen, setOpen] = useState(() => window.matchMedia(OPEN_FROM).matches);
  return (
    <div className={`lh-small ${styles.legend}`}>
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
            {STATUS_LABELS[status]}
          </li>
        ))}
        <li>
          <StatusGlyph status="stopped" flagged size={16} />
          Check
        </li>
        <li>
          <span className={styles.count} aria-hidden="true">
            3
          </span>
          Trucks here
        </li>
      </ul>
    </div>
  );
};

const readBars = (map: LeafletMap) => toScaleBars(map.getCenter().lat, map.getZoom(), MAX_SCALE_PX);

/** The length of a mile and a kilometer at the middle of the map. */
const Scale = ({ map }: { map: LeafletMap }) => {
  const [bars, setBars] = useState(() => readBars(map));
  useMapEvents(map, { moveend: () => setBars(readBars(map)) });
  return (
    <div className={styles.scale}>
      {bars.map(({ text, widthPx }) => (
        <span key={text} style={{ width: widthPx }}>
          {text}
        </span>
      ))}
    </div>
  );
};
