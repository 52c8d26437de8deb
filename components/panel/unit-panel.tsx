import { Button } from '@mantine/core';
import { IconCheck, IconFocus2, IconLink, IconX } from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import { UnitGlyph } from '@/components/map/status-glyph';
import { useCopy } from '@/components/ui/use-copy';
import { useReading, useShownDetail, useUsdot, useViewStore } from '@/components/fleet-state/fleet-context';
import { toClockAddress } from '@/lib/trips/days';
import { parseVin } from '@/lib/identity/vin';
import type { ShownMoment } from '@/lib/live/live-reader';
import { unitTitle } from '@/lib/view/unit-name';
import type { UnitRow } from '@/lib/view/unit-row';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { ContactSection } from './contact-section';
import { UnitNotes } from '@/components/notes/unit-notes';
import { UnitTags } from '@/components/tags/unit-tags';
import { ShareUnit } from '@/components/shares/share-button';
import { SharesOfUnit } from '@/components/shares/shares-section';
import { CarrierSection } from './carrier-section';
import { Section } from './facts';
import { FlagsSection } from './flags-section';
import { LoadSection } from './load-section';
import { PanelHead } from './panel-head';
import { PositionSection } from './position-section';
import { StatusLine } from './status-line';
import styles from './unit-panel.module.css';
import { VehicleSection } from './vehicle-section';

interface UnitPanelProps {
  unit: UnitRow;
  isFollowed: boolean;
  onFollow: (isFollowed: boolean) => void;
  onClose: () => void;
}

export const UnitPanel = ({ unit, isFollowed, onFollow, onClose }: UnitPanelProps) => {
  const usdot = useUsdot();
  const { fleet, past } = useReading();
  const { key, vin } = unit.identity;
  const detail = useShownDetail(key);
  return (
    <>
      <PanelHead
        glyph={<UnitGlyph unit={unit} size={26} />}
        title={unitTitle(unit.identity)}
        onClose={onClose}
      >
        <div className={styles.status}>
          <StatusLine unit={unit} detail={detail} />
        </div>
        <Actions unit={unit} isFollowed={isFollowed} onFollow={onFollow} />
      </PanelHead>
      <div className="lh-scroll">
        <FlagsSection unit={unit} detail={detail} />
        <LoadSection identity={unit.identity} />
        <SharesOfUnit identity={unit.identity} />
        {past !== null ? null : (
          <>
            <ContactSection unit={unit} />
            <Section head="Tags and notes">
              <UnitTags identity={unit.identity} />
              <UnitNotes identity={unit.identity} />
            </Section>
          </>
        )}
        <PositionSection unit={unit} />
        <VehicleSection identity={unit.identity} />
        <CarrierSection vin={vin} usdot={usdot} account={fleet?.account ?? null} />
      </div>
    </>
  );
};

const Actions = ({ unit, isFollowed, onFollow }: Omit<UnitPanelProps, 'onClose'>) => {
  const usdot = useUsdot();
  const { past } = useReading();
  const { key, vin } = unit.identity;
  return (
    <div className={styles.actions}>
      <Button
        className={styles.action}
        variant={isFollowed ? 'filled' : 'default'}
        leftSection={<IconFocus2 size={16} stroke={1.75} />}
        aria-pressed={isFollowed}
        disabled={unit.position === null}
        onClick={() => onFollow(!isFollowed)}
      >
        {isFollowed ? 'Following' : 'Follow'}
      </Button>
      {vin === null ? null : (
        <Button
          className={styles.action}
          component={Link}
          href={`/fleets/${usdot}/units/${encodeURIComponent(vin)}${toDayLink(past)}`}
          variant="default"
        >
          {past === null ? 'Open truck' : 'This day'}
        </Button>
      )}
      <ShareUnit className={styles.action} identity={unit.identity} />
      <CopyLink usdot={usdot} unitKey={key} />
    </div>
  );
};

/** The part of a vehicle page's address that names a moment in the past; empty while live. */
const toDayLink = (past: ShownMoment | null): string => {
  if (past === null) return '';
  const [day, time] = toClockAddress(past.atMs, Intl.DateTimeFormat().resolvedOptions().timeZone);
  return `?view=day&day=${day}&at=${time}`;
};

const SIGNS = { Copied: IconCheck, 'Could not copy': IconX } as const;

/** The link opens the map with this unit selected, whatever else was filtered here; in the past, at the same moment. */
const CopyLink = ({ usdot, unitKey }: { usdot: string; unitKey: string }) => {
  const { outcome, copy } = useCopy('Link');
  const store = useViewStore();
  const onClick = () =>
    void copy(
      `${window.location.origin}/fleets/${usdot}${toViewSearch({ ...EVERYTHING, unit: unitKey, past: store.read().past })}`,
    );
  const Icon = outcome === null ? IconLink : SIGNS[outcome];
  const label = outcome ?? 'Copy link';
  return (
    <Button
      className={`${styles.action} ${styles.copy}`}
      variant="default"
      aria-label={label}
      title={outcome ?? 'Copy the address of this truck, for people with an account'}
      onClick={onClick}
    >
      <Icon size={16} stroke={1.75} />
    </Button>
  );
};

/** The unit that the address names is not in the fleet. */
export const MissingUnit = ({ unitKey, onClose }: { unitKey: string; onClose: () => void }) => {
  const base = `/fleets/${useUsdot()}`;
  const vin = parseVin(unitKey);
  const { past } = useReading();
  return (
    <PanelHead title="No such truck here" onClose={onClose}>
      <div className={styles.missing}>
        <p className="lh-code">{unitKey}</p>
        <p>
          {past === null
            ? 'The live fleet has no truck of this name. It may belong to another USDOT number, or it left before this server began to watch.'
            : 'The fleet had no truck of this name at this moment.'}
        </p>
        <p>
          {vin === null ? null : (
            <>
              <Link href={`${base}/units/${vin}`} prefetch={false}>
                Look up this VIN
              </Link>
              {' · '}
            </>
          )}
          <Link href={`${base}/roster`} prefetch={false}>
            See the roster
          </Link>
        </p>
      </div>
    </PanelHead>
  );
};
