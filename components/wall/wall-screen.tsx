'use client';

import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useMemo, type CSSProperties, type ReactNode } from 'react';
import { SeverityIcon } from '@/components/alert-bell/severity-icon';
import {
  FleetProvider,
  useCarrierAccount,
  useFreshness,
  useReading,
  useServerNowMs,
  useUsdot,
  type FleetProviderProps,
} from '@/components/fleet-state/fleet-context';
import { BuildProvider } from '@/components/fleet-state/newer-build';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useKnownSites, usePlaceOf } from '@/components/fleet-state/sites';
import { useOfflineCopy } from '@/components/layout/offline-copy';
import { useReloadWhenRefused } from '@/components/layout/refused';
import { ViewerProvider } from '@/components/layout/viewer-context';
import { StatusGlyph } from '@/components/map/status-glyph';
import { useClockMs } from '@/components/ui/use-now';
import { usePlaces } from '@/components/ui/use-places';
import { MINUTE_MS } from '@/lib/base/time';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import type { Viewer } from '@/lib/base/viewer';
import { useFleetList } from '@/lib/fleets/queries';
import type { MapTiles } from '@/lib/map/schema';
import { STATUSES, type Status } from '@/lib/motion/status';
import { countFleet, type FleetCounts } from '@/lib/view/filter';
import { formatDay, formatMinute, formatShortCount } from '@/lib/view/format';
import { STATUS_LABELS, carrierText } from '@/lib/view/text';
import { unitName } from '@/lib/view/unit-name';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import { agoTime, listAttention, problemText, seenTexts, townFirst } from '@/lib/wall-screens/attention';
import { toTypeVh, type ScreenDisplay } from '@/lib/wall-screens/distance';
import {
  oncePerUnit,
  openAlertsShape,
  type OpenAlert,
  type OpenAlerts,
} from '@/lib/wall-screens/open-alerts';
import { findPage, shareLines, type ShownRows } from '@/lib/wall-screens/pages';
import { WallMap } from './wall-map';
import styles from './wall-screen.module.css';

/** Codes that mean: the screen was revoked, or may not show this fleet. */
const REFUSALS = ['sign-in-needed', 'second-factor-needed', 'unknown-fleet'];
/** A screen of several fleets shows each for this long. */
const FLEET_TURN_MS = 2 * MINUTE_MS;
/** The whole page moves by this much, hundredths of the screen's height, a step a minute: no pixel shows the same for days. */
const SHIFT_VMIN = 0.4;
const SHIFTS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;
/** The heights of a line and a heading of the lists in sizes of type, as in wall-screen.module.css. */
const ITEM_EM = 3.2;
const HEADING_EM = 1.9;

interface WallScreenProps extends Pick<FleetProviderProps, 'usdot' | 'isDemo' | 'hasOtherFleets'> {
  build: string | null;
  viewer: Viewer;
  tiles: MapTiles | null;
  display: ScreenDisplay;
}

/** A fleet for people across the room: nothing of it is operated. */
export const WallScreen = ({ build, viewer, tiles, display, ...fleet }: WallScreenProps) => (
  <ViewerProvider viewer={viewer}>
    <FleetProvider {...fleet} isWallScreen first={null}>
      <BuildProvider build={build}>
        <Wall tiles={tiles} display={display} hasOtherFleets={fleet.hasOtherFleets} build={build} />
      </BuildProvider>
    </FleetProvider>
  </ViewerProvider>
);

type WallProps = Pick<WallScreenProps, 'tiles' | 'display' | 'hasOtherFleets' | 'build'>;

const Wall = ({ tiles, display, hasOtherFleets, build }: WallProps) => {
  const usdot = useUsdot();
  const reading = useReading();
  const { fleet, failure } = reading;
  useOfflineCopy(usdot, build, reading);
  const old = useOldCopy();
  useReloadWhenRefused(REFUSALS.includes(failure?.code ?? ''));
  useKnownSites();
  useFleetTurns(hasOtherFleets);
  const hasData = fleet !== null && fleet.feed.fetchedAtMs !== null;
  const counts = useMemo(() => (hasData ? countFleet(fleet) : null), [fleet, hasData]);
  const alerts = useOpenAlerts(usdot).data ?? null;
  const { name } = carrierText(usdot, useCarrierAccount());
  return (
    <Shifted distance={display.distance}>
      <h1 className="visually-hidden">Wall screen of USDOT {usdot}</h1>
      <header className={styles.head}>
        <Counters counts={counts} waiting={alerts?.waiting ?? null} isOld={old !== null} />
        <Clock />
      </header>
      <WallMap tiles={tiles} carrier={hasOtherFleets ? name : null} {...display} />
      <Lists alerts={alerts} />
      <Foot />
    </Shifted>
  );
};

const ALERTS_EVERY_MS = 10_000;

/** The open alerts of a fleet's rules. */
const useOpenAlerts = (usdot: string) =>
  useQuery({
    ...PERSISTENT,
    queryKey: ['fleets', usdot, 'open alerts'],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/open-alerts`, openAlertsShape, { signal }),
    refetchInterval: ALERTS_EVERY_MS,
  });

/** The page, which moves by a few pixels each minute. */
const Shifted = ({ distance, children }: Pick<ScreenDisplay, 'distance'> & { children: ReactNode }) => {
  const minute = Math.floor(useClockMs() / MINUTE_MS);
  const [x, y] = SHIFTS[minute % SHIFTS.length]!;
  const style = {
    '--lh-wall-type': `max(14px, ${toTypeVh(distance).toFixed(3)}vmin)`,
    translate: `${x * SHIFT_VMIN}vmin ${y * SHIFT_VMIN}vmin`,
  } as CSSProperties;
  return (
    <main className={styles.wall} data-distance={distance} style={style}>
      {children}
    </main>
  );
};

/** Shows the next of several fleets after a while. */
const useFleetTurns = (isWanted: boolean): void => {
  const usdot = useUsdot();
  const { replace } = useRouter();
  const { data } = useFleetList(isWanted);
  const usdots = (data?.fleets ?? []).map((each) => each.usdot);
  const next = usdots[(usdots.indexOf(usdot) + 1) % usdots.length];
  useEffect(() => {
    if (next === undefined || next === usdot) return;
    const timer = setTimeout(() => replace(`/screen/${next}${window.location.search}`), FLEET_TURN_MS);
    return () => clearTimeout(timer);
  }, [next, usdot, replace]);
};

/** Open alerts that no one has taken, in the counters and in the list. */
const ALERTS = 'Alerts';

interface CountersProps {
  counts: FleetCounts | null;
  /** Unacknowledged open alerts; null before they are known. */
  waiting: number | null;
  isOld: boolean;
}

/** In the order of their weight: the last are left out where there is no room. */
const Counters = ({ counts, waiting, isOld }: CountersProps) => {
  const [moving, stopped, late, silent, unknown] = STATUSES.map((status) => ({
    name: status,
    label: STATUS_LABELS[status],
    count: counts?.byStatus[status] ?? null,
  }));
  const all = [
    ...[moving!, stopped!, late!, silent!],
    { name: 'silent' as const, label: ALERTS, count: waiting },
    { name: 'flag' as const, label: 'Check', count: counts?.flagged ?? null },
    unknown!,
  ];
  return (
    <ul className={styles.counters} data-old={isOld} aria-label="Trucks by status">
      {all.map(({ name, label, count }) => (
        <li key={label} style={{ color: isOld || !count ? 'var(--lh-dim)' : `var(--lh-${name}-text)` }}>
          <b>{count === null ? '–' : formatShortCount(count)}</b> <span>{label}</span>
        </li>
      ))}
    </ul>
  );
};

const Clock = () => {
  const { skewMs } = useReading();
  const nowMs = useServerNowMs() - skewMs;
  const { state, label } = useFreshness();
  // In the HTML there is no time: the server does not know the screen's zone.
  const isKnown = nowMs > MINUTE_MS;
  return (
    <div className={styles.clock}>
      <time>{isKnown ? formatMinute(nowMs) : ' '}</time>
      <p>
        <span>{isKnown ? formatDay(nowMs, nowMs) : ''}</span>{' '}
        <span className={styles.feed} data-state={state}>
          {label}
        </span>
      </p>
    </div>
  );
};

/** What is listed at a height in pixels: alerts that no one has taken, and trucks without one that need attention, page by page. */
const useListed = (alerts: OpenAlerts | null, height: number) => {
  const { fleet } = useReading();
  const nowMs = useServerNowMs();
  const waiting = oncePerUnit(alerts?.alerts.filter(({ isTaken }) => !isTaken) ?? []);
  const named = new Set(waiting.map(({ unitName: name }) => name));
  const listed = useMemo(() => (fleet === null ? null : listAttention(fleet)), [fleet]);
  // Trucks whose alert is listed are not repeated.
  const rows = listed?.filter((row) => !named.has(unitName(fleet!.identities[row]!))) ?? null;
  // The size of type of the list itself, which the screen's distance sets.
  const typePx = typeof window === 'undefined' ? 16 : readTypePx();
  const room = Math.max(0, height - (waiting.length === 0 ? 1 : 2) * HEADING_EM * typePx);
  const lines = Math.max(2, Math.floor(room / typePx / ITEM_EM));
  const share = shareLines(lines, waiting.length, rows?.length ?? 0);
  const ofAlerts = findPage(waiting.length, share.alerts, nowMs);
  const ofTrucks = findPage(rows?.length ?? 0, share.trucks, nowMs);
  return {
    itemPx: Math.floor(room / lines),
    ofAlerts: { ...ofAlerts, rows: waiting.length, count: alerts?.waiting ?? null },
    alerts: waiting.slice(ofAlerts.from, ofAlerts.to),
    ofTrucks: { ...ofTrucks, rows: rows?.length ?? 0, count: rows?.length ?? null },
    trucks: Array.from(rows?.subarray(ofTrucks.from, ofTrucks.to) ?? [], (row) => readUnitRow(fleet!, row)!),
  };
};

const Lists = ({ alerts: open }: { alerts: OpenAlerts | null }) => {
  const { ref, height } = useElementSize();
  const { itemPx, ofAlerts, alerts, ofTrucks, trucks } = useListed(open, height);
  const style = { '--lh-wall-item': `${itemPx}px` } as CSSProperties;
  return (
    <section ref={ref} className={styles.lists} style={style} aria-label="What needs attention">
      {alerts.length === 0 ? null : (
        <>
          <Heading text={ALERTS} {...ofAlerts} />
          <ul key={ofAlerts.from}>
            {alerts.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ul>
        </>
      )}
      <Heading text="Needs attention" {...ofTrucks} />
      {ofTrucks.count === 0 ? <p className={styles.none}>No other truck needs attention.</p> : null}
      <ul key={`trucks ${ofTrucks.from}`}>
        {trucks.map((unit) => (
          <UnitItem key={unit.identity.key} unit={unit} />
        ))}
      </ul>
    </section>
  );
};

const readTypePx = (): number => {
  const wall = document.querySelector(`.${styles.wall}`);
  return wall === null ? 16 : Number.parseFloat(getComputedStyle(wall).fontSize);
};

interface HeadingProps extends ShownRows {
  text: string;
  count: number | null;
  /** The number of lines that take turns. */
  rows: number;
}

/** "Alerts 30", and which of them are shown where there is no room for all. */
const Heading = ({ text, count, rows, from, to }: HeadingProps) => (
  <h2 className={styles.heading}>
    {text} <b>{count ?? '–'}</b>
    {rows > to - from ? (
      <span>
        {from + 1}–{to}
      </span>
    ) : null}
  </h2>
);

const AlertItem = ({ alert }: { alert: OpenAlert }) => {
  const placeAt = usePlaces();
  const { skewMs } = useReading();
  const nowMs = useServerNowMs();
  const { severity, unitName: name, ruleName, siteName, lat, lng, openedMs } = alert;
  const place = siteName ?? (lat === null || lng === null ? null : (placeAt?.({ lat, lng }) ?? null));
  return (
    <li data-severity={severity}>
      <b>
        <SeverityIcon severity={severity} size={24} />
        <span className="lh-cut">
          {name ?? 'Feed'} {ruleName}
        </span>
      </b>
      <Where place={place} time={agoTime(openedMs - skewMs, nowMs - skewMs)} />
    </li>
  );
};

/** Where a line's truck is, from the town outward: only the distance to it is left out where there is no room, and never the time. */
const Where = ({ place, time }: { place: string | null; time: string }) => {
  const [town, ...distance] = place === null ? [] : townFirst(place).split(/(?= · )/);
  return (
    <span className={styles.where}>
      <span className={styles.place}>
        <span className="lh-cut">{town}</span>
        {distance.length === 0 ? null : <span>{distance}</span>}
      </span>
      <span>{time}</span>
    </span>
  );
};

/** The color of what is wrong with a unit. */
const toTone = ({ status }: UnitRow): Status | 'flag' =>
  status === 'late' || status === 'silent' ? status : 'flag';

const UnitItem = ({ unit }: { unit: UnitRow }) => {
  const placeOf = usePlaceOf();
  const { skewMs } = useReading();
  const nowMs = useServerNowMs();
  return (
    <li>
      <b style={{ color: `var(--lh-${toTone(unit)}-text)` }}>
        <StatusGlyph status={unit.status} headingDeg={unit.headingDeg} flagged={unit.flags.length > 0} />
        <span className="lh-cut">
          {unitName(unit.identity)} {problemText(unit, nowMs)}
        </span>
      </b>
      <Where {...seenTexts(unit, placeOf(unit), nowMs, skewMs)} />
    </li>
  );
};

/** Why the feed is not as it should be. */
const Foot = () => {
  const { sentence } = useFreshness();
  return sentence === null ? null : <footer className={styles.foot}>{sentence}</footer>;
};
