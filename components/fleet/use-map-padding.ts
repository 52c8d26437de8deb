import { useMemo } from 'react';
import type { MapPadding } from '@/components/map/fleet-map-props';
import type { Snap } from './sheet';
import { usePhone } from '../ui/use-phone';

/** The panel with its distance to the edge and to what it must not cover; as --lh-panel. */
const PANEL_PX = 372 + 24;
const PEEK_PX = 112;
const HALF = 0.52;
/** From the map's edge to the notices. */
const NOTICES_TOP_PX = 12;

interface Covering {
  isPanelOpen: boolean;
  snap: Snap;
  /** Of the whole screen under the bar. */
  heightPx: number;
  /** How high the notices are together; 0 without any. */
  noticesPx: number;
}

/** What covers the map: the notices at its head, the panel at its right, or on a phone the sheet at its foot. */
export const useMapPadding = ({ isPanelOpen, snap, heightPx, noticesPx }: Covering): MapPadding => {
  const isPhone = usePhone();
  return useMemo(() => {
    const top = noticesPx === 0 ? 0 : noticesPx + NOTICES_TOP_PX;
    if (!isPhone) return { top, right: isPanelOpen ? PANEL_PX : 0, bottom: 0, left: 0 };
    // Under a whole sheet there is no map to see: it keeps what half a sheet leaves of it.
    const bottom = snap === 'peek' ? PEEK_PX : Math.round(heightPx * HALF);
    return { top, right: 0, bottom, left: 0 };
  }, [isPhone, isPanelOpen, snap, heightPx, noticesPx]);
};
