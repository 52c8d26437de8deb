'use client';

import { Box, Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { Suspense, type ReactNode } from 'react';
import { UnitGlyph } from '@/components/map/status-glyph';
import { UnitNotes } from '@/components/notes/unit-notes';
import { CarrierSection } from '@/components/panel/carrier-section';
import { CertificateButton } from '@/components/certificates/certificate-button';
import { ContactSection } from '@/components/panel/contact-section';
import { Fact, Facts, Section } from '@/components/panel/facts';
import { FlagsSection } from '@/components/panel/flags-section';
import { LoadSection } from '@/components/panel/load-section';
import { PositionSection, speedAndHeading } from '@/components/panel/position-section';
import { VehicleSection } from '@/components/panel/vehicle-section';
import { StatusLine } from '@/components/panel/status-line';
import { useReading, useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { Tabs } from '@/components/kit/full-page';
import { AddressParameter } from '@/components/layout/address-parameter';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { PlainPage } from '@/components/layout/plain-page';
import { ShareUnit } from '@/components/shares/share-button';
import { SharesOfUnit } from '@/components/shares/shares-section';
import { UnitTags } from '@/components/tags/unit-tags';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useIsRendered, useNowMs } from '@/components/ui/use-now';
import type { MapTiles } from '@/lib/map/schema';
import { Notices } from '@/components/fleet-shell/notices';
import { useUnit, useUnitDetail } from '@/lib/live/unit-queries';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { fixAgeText, formatCount, formatMoment, formatTime, formatWhole } from '@/lib/view/format';
import { unitName, unitTitle } from '@/lib/view/unit-name';
import { findRow, readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import { toVehicleRow } from '@/lib/view/vehicle-row';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import type { Reported, UnitAnswer, UnitDetail } from '@/lib/wire/unit';
import { VehicleMap } from './vehicle-map';
import styles from './vehicle-page.module.css';

const dayView = onDemand(() => import('./day/day-view').then(({ DayView }) => DayView));

const SOURCE_LABELS = { fleetList: 'fleet list', vehicle: 'answer for this truck' } as const;

interface Vehicle {
  vin: string;
  unit: ReturnType<typeof toVehicleRow>;
  /** Its row of the live feed; null where that has none. */
  live: UnitRow | null;
  detail: UnitDetail | null;
  answer: UnitAnswer | undefined;
}

interface VehiclePageProps {
  vin: string;
  /** The unit as of the HTML; null where that has none. */
  first: UnitRow | null;
  tiles: MapTiles | null;
}

/** One vehicle: the provider's single-unit answer, beside the data of the live feed. */
export const VehiclePage = ({ vin, first, tiles }: VehiclePageProps) => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const { data: answer, error, failureReason, refetch } = useUnit(usdot, vin);
  const row = fleet === null ? -1 : findRow(fleet, vin);
  const isRendered = useIsRendered();
  const live = fleet === null ? (isRendered ? first : null) : readUnitRow(fleet, row);
  const detail = useUnitDetail(usdot, row < 0 ? null : vin, fleet?.version ?? '').data ?? null;
  const unit = toVehicleRow(vin, answer?.unit ?? null, live);
  const vehicle: Vehicle = { vin, unit, live, detail, answer };
  const isKnown = live !== null || answer !== undefined || error !== null;
  const isDay = useSearchParams()?.get('view') === 'day';

  return (
    <div className={styles.page} data-view={isDay ? 'day' : 'live'}>
      <header className={styles.head}>
        <Notices />
        <Title {...vehicle} isDay={isDay} />
        {isDay ? null : (
          <>
            <div className={styles.status}>
              <VehicleStatus {...vehicle} />
            </div>
            <ProviderData
              answer={answer}
              // A failure is shown at once, also during the retries.
              error={error ?? failureReason}
              onRefresh={() => void refetch({ cancelRefetch: false })}
            >
              {live === null ? null : <ShareUnit h={30} px={10} fz={13} identity={live.identity} />}
              {live === null ? null : (
                <CertificateButton
                  {...{ h: 30, px: 10, fz: 13 }}
                  unit={live.identity.key}
                  name={unitName(live.identity)}
                />
              )}
            </ProviderData>
          </>
        )}
      </header>
      {isDay ? (
        <Day key={vin} vin={vin} unit={unit} tiles={tiles} isKnown={isKnown && !isRendered} />
      ) : (
        <>
          <h2 className="visually-hidden">Details</h2>
          <div className={styles.columns}>
            <div className={styles.column}>{isKnown ? <Sections {...vehicle} /> : <Loading />}</div>
            <VehicleMap unit={isKnown ? unit : null} detail={detail} tiles={tiles} />
          </div>
        </>
      )}
    </div>
  );
};

const Title = ({ vin, unit, live, isDay }: Vehicle & { isDay: boolean }) => {
  const usdot = useUsdot();
  const isLive = live !== null;
  const mapHref = `/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: vin })}`;
  return (
    <>
      <Link
        {...(isLive ? toMapLink(mapHref) : { href: `/fleets/${usdot}/roster`, prefetch: false })}
        className={`lh-link ${styles.back}`}
      >
        <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
        {isLive ? 'On the map' : 'Roster'}
      </Link>
      <Group gap={10} mt={4} wrap="nowrap">
        {isDay ? null : <UnitGlyph unit={unit} size={30} />}
        <Box component="h1" fz={24} fw={700} lts="-0.01em" lh="34px">
          {unitTitle(unit.identity)}
        </Box>
        <ViewLinks isDay={isDay} unit={unit.identity.key} />
        {isDay ? <p className={`lh-cut lh-dim ${styles.identity}`}>{identityText(unit)}</p> : null}
      </Group>
    </>
  );
};

const ViewLinks = ({ isDay, unit }: { isDay: boolean; unit: string }) => {
  const path = usePathname();
  const reports = `/fleets/${useUsdot()}/history?${new URLSearchParams({ unit })}`;
  const isForAll = useSeesAllUnits();
  return (
    <Tabs
      label="Views of this truck"
      tabs={[
        { label: 'Live', link: toMapLink(path), isHere: !isDay },
        { label: 'Day', link: toMapLink(`${path}?view=day`), isHere: isDay, preload: dayView.preload },
        ...(isForAll ? [{ label: 'Reports', link: { href: reports, prefetch: false }, isHere: false }] : []),
      ]}
    />
  );
};

/** Make, model and VIN, where the facts are not on the page. */
const identityText = ({ identity: { make, model, vin } }: UnitRow): string =>
  [[make, model].filter(Boolean).join(' '), vin].filter(Boolean).join(' · ');

interface DayProps extends Pick<Vehicle, 'vin' | 'unit'> {
  tiles: MapTiles | null;
  /** The unit is known, with the position that decides the time zone, and the page runs in the browser. */
  isKnown: boolean;
}

const Day = ({ isKnown, ...props }: DayProps) =>
  isKnown ? (
    <Suspense fallback={<Loading />}>
      <dayView.Part {...props} />
    </Suspense>
  ) : (
    <Loading />
  );

const Sections = ({ vin, unit, live, detail, answer }: Vehicle) => (
  <>
    <FlagsSection unit={unit} detail={detail} providerFlags={answer?.unit?.flags ?? []} />
    <LoadSection identity={(live ?? unit).identity} />
    <SharesOfUnit identity={(live ?? unit).identity} />
    <ContactSection unit={live ?? unit} />
    <Section head="Tags and notes">
      <UnitTags identity={(live ?? unit).identity} />
      <UnitNotes identity={(live ?? unit).identity} />
    </Section>
    {answer?.outcome === 'unit' || live !== null ? (
      <PositionSection unit={unit} source={SOURCE_LABELS[unit.from]} />
    ) : null}
    <VehicleSection identity={unit.identity} isPending={answer === undefined && live === null} />
    <CarrierSection vin={vin} usdot={useUsdot()} account={useReading().fleet?.account ?? null} />
    {/* Last, since it comes with the provider’s answer and would move what is below it. */}
    {answer?.reported === undefined ? null : <ReportedSection reported={answer.reported} />}
  </>
);

/** What the device itself reported, beside what is derived from its fixes; only what it did report. */
const ReportedSection = ({ reported }: { reported: Reported }) => {
  const nowMs = useNowMs();
  const { skewMs } = useReading();
  const { fixAtMs, batteryPercent, isIgnitionOn, odometerM, alarm, noPositionCount, noPositionAtMs } =
    reported;
  const moment = (atMs: number) => formatMoment(atMs - skewMs, nowMs);
  const noPosition = formatCount(noPositionCount, 'report');
  const facts = {
    Motion: speedAndHeading(reported) || null,
    Battery: batteryPercent === null ? null : `${Math.round(batteryPercent)}%`,
    Ignition: isIgnitionOn === null ? null : isIgnitionOn ? 'on' : 'off',
    Odometer: odometerM === null ? null : `${formatWhole(Math.round(odometerM / METERS_PER_MILE))} mi`,
    Alarm: alarm,
    'Reported at': fixAtMs === null ? null : moment(fixAtMs),
    'No position': noPositionAtMs === null ? null : `${noPosition}, the last at ${moment(noPositionAtMs)}`,
  };
  return (
    <Section head="Reported by the device">
      <Facts>
        {Object.entries(facts).map(([name, text]) =>
          text === null ? null : (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ),
        )}
      </Facts>
    </Section>
  );
};

/** Placeholder lines: what is known arrives at once, so that nothing moves afterwards. */
const Loading = () => (
  <Stack gap={14} p={16} aria-busy="true">
    <p className="visually-hidden">Loading the truck…</p>
    {Array.from({ length: 12 }, (_, line) => (
      <Skeleton key={line} height={12} width={`${88 - ((line * 23) % 40)}%`} />
    ))}
  </Stack>
);

interface ProviderDataProps {
  answer: UnitAnswer | undefined;
  error: Error | null;
  onRefresh: () => void;
  children: ReactNode;
}

const ProviderData = ({ answer, error, onRefresh, children }: ProviderDataProps) => {
  const { skewMs } = useReading();
  return (
    <Group gap="4px 12px" mt={8} c="var(--lh-dim)" fz={13} role="status">
      {error ? (
        <Box component="span" c="var(--lh-silent-text)">
          {answer ? 'Could not refresh the provider data: ' : 'Could not load from the provider: '}
          {error.message}
        </Box>
      ) : null}
      {answer ? <span>Provider data from {formatTime(answer.requestedAtMs - skewMs)}</span> : null}
      {!answer && !error ? <span>Loading from the provider…</span> : null}
      <Button
        h={30}
        px={10}
        fz={13}
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.75} />}
        onClick={onRefresh}
      >
        Refresh
      </Button>
      {children}
    </Group>
  );
};

/** The status of a vehicle; of one that is not in the live list, why, and the age of its last fix. */
const VehicleStatus = ({ unit, detail, live, answer }: Vehicle) => {
  const { skewMs } = useReading();
  const nowMs = useServerNowMs();
  const old = useOldCopy();
  if (answer?.outcome === 'unknown') return <p>The provider does not know this VIN.</p>;
  if (answer?.outcome === 'neverReported')
    return <p>The provider knows this truck, but it has never reported.</p>;
  const isHeard = unit.fixAtMs !== null;
  if (live !== null && !(unit.reason === 'neverSeen' && isHeard)) {
    return <StatusLine unit={unit} detail={detail} />;
  }
  if (!isHeard) return null;
  const lastFix =
    old === null ? fixAgeText(nowMs - unit.fixAtMs!) : formatMoment(unit.fixAtMs! - skewMs, nowMs - skewMs);
  return <p>Not in the list of active trucks. Its last fix: {lastFix}.</p>;
};

/** The address of a vehicle's page names no VIN. */
export const NoSuchVin = () => (
  <PlainPage
    isFramed
    head="That is not a VIN"
    link={{ href: `/fleets/${useUsdot()}/roster`, label: 'See the roster' }}
  >
    <p>
      The address names the truck <AddressParameter name="vin" />. A VIN has 17 letters and digits, never I, O
      or Q.
    </p>
  </PlainPage>
);
