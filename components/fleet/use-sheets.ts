import { useElementSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import type { MapPadding } from '@/components/map/fleet-map-props';
import { usePhone } from '@/components/layout/shell';
import type { Fleet } from '@/lib/wire/fleet';
import { useSideSheet, type Snap } from './sheet';

/** The panel with its distance to the edge and to what it must not cover; as --lh-panel. */
const PANEL_PX = 372 + 24;
const PEEK_PX = 112;
/** On a phone on its side: the handle alone, and an open sheet at the right, as in sheet.module.css. */
const SIDE_PX = 372;
const SHORT_PEEK_PX = 56;
const HALF = 0.52;
/** From the map's edge to the notices. */
const NOTICES_TOP_PX = 12;
const TIME_BAR_GAP_PX = 12;

/** The heights of the sheets on a phone, and what the notices, the panel and the time bar cover of the map. */
export const useSheets = (fleet: Fleet | null, isPanelOpen: boolean, timeBarPx: number) => {
  const { failure } = useReading();
  const [chosenSnap, setListSnap] = useState<Snap | null>(null);
  const [panelSnap, setPanelSnap] = useState<Snap>('half');
  // On a phone the sheet gives the reason for an empty map.
  const isEmpty = fleet === null ? failure !== null : fleet.identities.every((identity) => identity === null);
  const listSnap = chosenSnap ?? (isEmpty ? 'half' : 'peek');
  const { ref: screenRef, height: heightPx } = useElementSize();
  const { ref: noticesRef, height: noticesPx } = useElementSize();
  const snap = isPanelOpen ? panelSnap : listSnap;
  const padding = useMapPadding({ isPanelOpen, snap, heightPx, noticesPx, timeBarPx });
  const isListShown = !usePhone() || listSnap !== 'peek';
  return {
    isPanelOpen,
    screenRef,
    noticesRef,
    noticesPx,
    padding,
    timeBarBottomPx: padding.bottom - timeBarPx,
    isListShown,
    listSnap,
    setListSnap,
    panelSnap,
    setPanelSnap,
  };
};

interface Covering {
  isPanelOpen: boolean;
  snap: Snap;
  /** The height of the screen below the bar. */
  heightPx: number;
  noticesPx: number;
  timeBarPx: number;
}

/** What covers the map: the notices at its head, the panel at its right, or on a phone the sheet at its foot. */
const useMapPadding = ({ isPanelOpen, snap, heightPx, noticesPx, timeBarPx }: Covering): MapPadding => {
  const isPhone = usePhone();
  const isSide = useSideSheet();
  return useMemo(() => {
    const top = noticesPx === 0 ? 0 : noticesPx + NOTICES_TOP_PX;
    const bar = timeBarPx === 0 ? 0 : timeBarPx + TIME_BAR_GAP_PX;
    if (!isPhone) return { top, right: isPanelOpen ? PANEL_PX : 0, bottom: bar, left: 0 };
    // Under a whole sheet there is no map to see: it keeps what half a sheet leaves of it.
    if (isSide && snap !== 'peek') return { top, right: SIDE_PX, bottom: bar, left: 0 };
    const peekPx = isSide ? SHORT_PEEK_PX : PEEK_PX;
    const bottom = snap === 'peek' ? peekPx : Math.round(heightPx * HALF);
    return { top, right: 0, bottom: bottom + bar, left: 0 };
  }, [isPhone, isSide, isPanelOpen, snap, heightPx, noticesPx, timeBarPx]);
};
