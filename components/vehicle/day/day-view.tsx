import { Button, Menu, Skeleton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { CertificateButton } from '@/components/certificates/certificate-button';
import { FleetMap } from '@/components/map/fleet-map';
import type { FleetMapHandle, MapOverlay } from '@/components/map/fleet-map-props';
import { toUnitSummary } from '@/components/map/unit-summary';
import { DownloadStatus, useDownload } from '@/components/ui/download';
import { Popup } from '@/components/ui/popup/popup';
import { ProblemNote } from '@/components/ui/problem-note';
import { useShortcuts } from '@/components/ui/shortcuts';
import { useNowMs } from '@/components/ui/use-now';
import { useRecordedPlaces } from '@/components/fleet-state/recorded-places';
import { useTruckZone } from '@/components/ui/use-truck-zone';
import { dayOf } from '@/lib/trips/days';
import { EXPORT_FORMATS, type ExportFormat } from '@/lib/past/export';
import { toTotalTexts } from '@/lib/past/text';
import type { Day } from '@/lib/trips/trips';
import type { MapTiles } from '@/lib/map/schema';
import { unitName, unitTitle } from '@/lib/view/unit-name';
import type { UnitRow } from '@/lib/view/unit-row';
import { toZoneName } from '@/lib/base/text/zone-name';
import { CompareMenu, ComparedBars, useCompared, type ComparedTruck } from './compare';
import { DatePicker, LengthSelect } from './date-picker';
import { DayBar, Legend, isSameClock, type ShownDay } from './day-bar';
import { DayList } from './day-list';
import { DayLoads } from './day-loads';
import styles from './day.module.css';
import { PlayerControls } from './player-controls';
import { TrailOverlay, pathOf } from '@/components/trail/trail-layer';
import { boundsOfDays } from '@/components/trail/trail-path';
import { describeMoment, useDay, useDayRange, usePlayerKeys, useServerMinute } from './use-day';
import { useDayAddress } from './use-day-address';

const UNCOVERED = { top: 0, right: 0, bottom: 0, left: 0 };

interface DayViewProps {
  vin: string;
  unit: UnitRow;
  tiles: MapTiles | null;
}

/** A truck's days by the clock of the viewer, as the map and the reports have it. */
export const DayView = ({ vin, unit, tiles }: DayViewProps) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const truckZone = useTruckZone(unit.position) ?? zone;
  const nowMs = useServerMinute(useNowMs());
  const today = dayOf(nowMs, zone);
  const { day: civilDay, days, player, others, compare, open, move } = useDayAddress(vin, zone, today);
  const range = useDayRange(civilDay, days, zone, nowMs);
  const { day, error } = useDay(vin, range);
  const compared = useCompared(others, range);
  usePlayerKeys(player, day);

  useEffect(() => {
    if (day === null) return;
    const { fromMs, toMs, endMs, trail } = day;
    const isOver = toMs <= endMs;
    // A day that is over begins where something is known of it.
    const firstMs = isOver ? Math.max(fromMs, trail.points[0]?.fixAtMs ?? fromMs) : endMs;
    player.setRange({ fromMs, endMs, firstMs });
  }, [player, day]);

  return (
    <div className={styles.day} data-zone={zone}>
      <div className={styles.controls}>
        <DatePicker day={civilDay} days={days} today={today} zone={zone} onChoose={open} onMove={move} />
        <LengthSelect days={days} onChoose={(length) => open(civilDay, length)} />
        {day === null ? null : (
          <>
            <CompareMenu vin={vin} others={others} onChange={compare} />
            <ExportMenu vin={vin} name={unitName(unit.identity)} day={day} zone={zone} />
            <CertificateButton
              h={36}
              px={12}
              fz={13}
              unit={vin}
              name={unitName(unit.identity)}
              range={range}
            />
            <Figures day={day} />
          </>
        )}
      </div>
      <DayLoads {...{ vin, range, zone }} />
      {error === null ? null : (
        <div className={styles.problem}>
          <ProblemNote role="alert">{error.message}</ProblemNote>
        </div>
      )}
      {day === null ? (
        error === null && <Skeleton className={styles.barLoading} height={88} />
      ) : (
        <Studied
          key={`${civilDay} ${days}`}
          {...{ day, zone, truckZone, player, unit, tiles, compared }}
          onRemove={(removed) => compare(others.filter((other) => other !== removed))}
        />
      )}
    </div>
  );
};

const Figures = ({ day }: { day: Day }) => (
  <dl className={styles.figures}>
    {toTotalTexts(day.totals).map(({ name, text, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {text}
          {note === undefined ? null : <small>{note}</small>}
        </dd>
      </div>
    ))}
  </dl>
);

const FORMAT_LABELS: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV for spreadsheets',
  gpx: 'GPX for navigation',
  kml: 'KML for Google Earth',
  geojson: 'GeoJSON for GIS',
};

interface ExportMenuProps {
  vin: string;
  /** The unit's name in the file. */
  name: string;
  day: Day;
  zone: string;
}

const ExportMenu = ({ vin, name, day, zone }: ExportMenuProps) => {
  const starter = useRef<HTMLButtonElement>(null);
  const download = useDownload(starter);
  const path = `/api/fleets/${useUsdot()}/units/${vin}/trail/export`;
  const toUrl = (format: ExportFormat): string => {
    const { fromMs, toMs } = day;
    const query = new URLSearchParams({ from: String(fromMs), to: String(toMs), zone, format, name });
    return `${path}?${query.toString()}`;
  };
  return (
    <>
      <Popup
        kind="menu"
        width={220}
        position="bottom-start"
        target={
          <Button
            ref={starter}
            variant="default"
            h={36}
            px={12}
            fz={13}
            rightSection={<IconChevronDown size={15} />}
          >
            Export
          </Button>
        }
      >
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => download.start(toUrl(format))}>
            {FORMAT_LABELS[format]}
          </Menu.Item>
        ))}
      </Popup>
      <DownloadStatus {...download} />
    </>
  );
};

/** "CST"; of a range in which the clocks change "Central Time". */
const zoneNameOf = (zone: string, { fromMs, toMs }: Day): string => {
  const [first, last] = [fromMs, toMs - 1].map((atMs) => toZoneName(zone, atMs, 'short'));
  return first === last ? first! : toZoneName(zone, fromMs, 'longGeneric');
};

interface StudiedProps extends ShownDay {
  /** That of the truck's newest position. */
  truckZone: string;
  unit: UnitRow;
  tiles: MapTiles | null;
  compared: readonly ComparedTruck[];
  onRemove: (vin: string) => void;
}

const Studied = ({ day, zone, truckZone, player, unit, tiles, compared, onRemove }: StudiedProps) => {
  const placeAt = useRecordedPlaces();
  const describe = (atMs: number): string => describeMoment(day, placeAt, atMs);
  return (
    <>
      <DayBar
        {...{ day, zone, truckZone, player, describe }}
        renderOthers={(pointer) =>
          compared.length === 0 ? null : (
            <ComparedBars trucks={compared} {...{ zone, player, pointer, onRemove }} />
          )
        }
      />
      <Legend>
        times in {zoneNameOf(zone, day)}, your time zone
        {isSameClock(day, zone, truckZone)
          ? null
          : `; ${compared.length === 0 ? 'the truck' : unitTitle(unit.identity)} is in ${zoneNameOf(truckZone, day)}`}
      </Legend>
      <div className={styles.columns}>
        <DayList day={day} zone={zone} player={player} />
        <div className={styles.map}>
          <DayMap {...{ day, player, unit, tiles, compared }} />
          <p className={`lh-small ${styles.note}`}>Straight lines between fixes</p>
        </div>
        <PlayerControls day={day} zone={zone} player={player} describe={describe} />
      </div>
    </>
  );
};

const DayMap = ({
  day,
  player,
  unit,
  tiles,
  compared,
}: Omit<StudiedProps, 'zone' | 'truckZone' | 'onRemove'>) => {
  const map = useRef<FleetMapHandle>(null);
  const shown = [day, ...compared.flatMap((truck) => truck.day ?? [])];
  const box = boundsOfDays(shown)?.join(',') ?? '';
  // A growing day of the same bounds leaves the map where the user moved it.
  const bounds = useMemo(
    () => (box === '' ? null : (box.split(',').map(Number) as [number, number, number, number])),
    [box],
  );
  const overlay: MapOverlay = {
    name: 'the whole day',
    bounds,
    marks: pathOf(day).stops,
    render: (map) => <TrailOverlay {...{ map, day, compared, player }} name={unitName(unit.identity)} />,
  };
  useShortcuts({ f: () => map.current?.fitFleet() });
  return (
    <FleetMap
      ref={map}
      fleet={null}
      initialBounds={bounds}
      tiles={tiles}
      padding={UNCOVERED}
      describe={() => toUnitSummary(unit, null, 0, 0, null)}
      overlay={overlay}
    />
  );
};
