'use client';

import { Button } from '@mantine/core';
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react';
import Link from 'next/link';
import { StatusGlyph } from '@/components/map/status-glyph';
import { CarrierSection } from '@/components/panel/carrier-section';
import { FlagsSection } from '@/components/panel/flags-section';
import { PositionSection } from '@/components/panel/position-section';
import { VehicleSection } from '@/components/panel/vehicle-section';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import type { MapTiles } from '@/components/map/fleet-map-props';
import { Notices } from '@/components/fleet-shell/notices';
import { useUnit } from '@/lib/browser/unit';
import { useUnitDetail } from '@/lib/browser/unit-detail';
import { clockWords } from '@/lib/view/clock';
import { unitTitle } from '@/lib/view/unit-name';
import { findRow, readUnitRow } from '@/lib/view/unit-row';
import { toVehicleRow } from '@/lib/view/vehicle-row';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { VehicleMap } from './vehicle-map';
import styles from './vehicle-page.module.css';
import { VehicleStatus } from './vehicle-status';

const SOURCE_LABELS = { fleetList: 'fleet list', vehicle: 'answer for this vehicle' } as const;

/** One vehicle as the provider's single-unit endpoint says it now, with what the live feed knows beside it. */
export const VehiclePage = ({ vin, tiles }: { vin: string; tiles: MapTiles | null }) => {
  const usdot = useUsdot();
  const { fleet, skewMs } = useReading();
  const { data: answer, error: lastError, failureReason, refetch } = useUnit(usdot, vin);
  // A failure is shown at once, also during the retries.
  const error = lastError ?? failureReason;
  const row = fleet === null ? -1 : findRow(fleet, vin);
  const live = fleet === null || row < 0 ? null : readUnitRow(fleet, row);
  const detail = useUnitDetail(usdot, live === null ? null : vin, fleet?.version ?? '').data ?? null;
  const unit = toVehicleRow(vin, answer?.unit ?? null, live);
  const mapHref = `/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: vin })}`;

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Notices />
        <Link
          href={live === null ? `/fleets/${usdot}/roster` : mapHref}
          prefetch={false}
          className={styles.back}
        >
          <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
          {live === null ? 'Roster' : 'On the map'}
        </Link>
        <div className={styles.name}>
          <StatusGlyph
            status={unit.status}
            headingDeg={unit.headingDeg}
            size={30}
            flagged={unit.flags.length > 0}
          />
          <h1 className={styles.title}>{unitTitle(unit.identity)}</h1>
        </div>
        <VehicleStatus
          unit={unit}
          detail={detail}
          isLive={live !== null}
          said={answer?.said ?? null}
          skewMs={skewMs}
        />
        <div className={styles.asked} role="status">
          {error ? (
            <span className={styles.failed}>
              {answer ? 'The provider’s answer could not be renewed: ' : 'The provider could not be asked: '}
              {error.message}
            </span>
          ) : null}
          {answer ? <span>Provider data from {clockWords(answer.askedAtMs - skewMs)}</span> : null}
          {!answer && !error ? <span>Loading from the provider…</span> : null}
          <Button
            className={styles.again}
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.75} />}
            onClick={() => void refetch({ cancelRefetch: false })}
          >
            Refresh
          </Button>
        </div>
      </header>
      <h2 className="lh-unseen">Details</h2>
      <div className={styles.columns}>
        <div className={styles.column}>
          <FlagsSection unit={unit} detail={detail} said={answer?.unit?.flags ?? []} />
          {answer?.said === 'unit' || live !== null ? (
            <PositionSection unit={unit} skewMs={skewMs} source={SOURCE_LABELS[unit.from]} />
          ) : null}
          <VehicleSection identity={unit.identity} isUntold={answer === undefined && live === null} />
          <CarrierSection vin={vin} usdot={usdot} account={fleet?.account ?? null} />
        </div>
        <VehicleMap unit={unit} detail={detail} tiles={tiles} skewMs={skewMs} />
      </div>
    </div>
  );
};
