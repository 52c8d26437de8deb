import { Button, TextInput, useComputedColorScheme } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@/components/ui/link';
import { useMemo, useState, type HTMLAttributes } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { StatusGlyph } from '@/components/map/status-glyph';
import { Popup } from '@/components/ui/popup/popup';
import { isEnter } from '@/components/ui/shortcuts';
import { trailOptions } from '@/lib/past/queries';
import { totalsText } from '@/lib/past/text';
import type { Day } from '@/lib/trips/trips';
import { unitTitle } from '@/lib/view/unit-name';
import { createMatcher } from '@/lib/view/search';
import { findRow, readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import { UNNAMED, type Fleet, type UnitIdentity } from '@/lib/wire/fleet';
import { Needle, Segments } from './day-bar';
import { toReadDay, type DayRange } from './use-day';
import { MOST_OTHERS } from './use-day-address';
import dayStyles from './day.module.css';
import type { DayPlayer } from '@/components/trail/day-player';
import styles from './compare.module.css';
import { toTruckStyle, type TruckStyle } from '@/components/trail/draw-trail';

const MOST_FOUND = 8;

/** A truck beside the one of the page, on the same range. */
export interface ComparedTruck {
  vin: string;
  identity: UnitIdentity;
  /** "Truck 243". */
  title: string;
  /** Null while it is loaded. */
  day: Day | null;
  problem: string | null;
}

/** The days of other trucks of the fleet, over the range of the page's own truck. */
export const useCompared = (vins: readonly string[], range: DayRange): ComparedTruck[] => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const select = useMemo(() => toReadDay(range), [range]);
  return useQueries({
    queries: vins.map((vin) => ({
      ...trailOptions(usdot, vin, range.fromMs, range.toMs, range.everyMs),
      select,
      structuralSharing: false,
    })),
    combine: (results) =>
      results.map(({ data, error, failureReason }, i) => {
        const vin = vins[i]!;
        const row = fleet === null ? -1 : findRow(fleet, vin);
        const identity = fleet?.identities[row] ?? { ...UNNAMED, key: vin, vin };
        const problem = data === undefined ? ((error ?? failureReason)?.message ?? null) : null;
        return { vin, identity, title: unitTitle(identity), day: data ?? null, problem };
      }),
  });
};

const Swatch = ({ color, dash }: TruckStyle) => (
  <svg className={styles.swatch} width="40" height="10" aria-hidden="true">
    <line x1="1" y1="5" x2="39" y2="5" stroke={color} strokeWidth="4" strokeDasharray={dash.join(' ')} />
  </svg>
);

interface ComparedBarsProps {
  trucks: readonly ComparedTruck[];
  zone: string;
  player: DayPlayer;
  /** What the pointer does on a bar: it shows the moment, or goes there. */
  pointer: HTMLAttributes<HTMLElement>;
  onRemove: (vin: string) => void;
}

export const ComparedBars = ({ trucks, zone, player, pointer, onRemove }: ComparedBarsProps) => {
  const theme = useComputedColorScheme('light');
  const usdot = useUsdot();
  return (
    <ul className={`lh-list ${styles.trucks}`} aria-label="Compared trucks">
      {trucks.map(({ vin, title, day, problem }, index) => (
        <li key={vin}>
          <div className={`lh-flex lh-small ${styles.head}`}>
            <Swatch {...toTruckStyle(index, theme)} />
            <Link href={`/fleets/${usdot}/units/${vin}?view=day`} prefetch={false}>
              {title}
            </Link>
            <span>{problem ?? (day === null ? 'loading…' : totalsText(day.totals))}</span>
            <button
              type="button"
              className="lh-icon"
              aria-label={`Remove ${title}`}
              onClick={() => onRemove(vin)}
            >
              <IconX size={16} aria-hidden="true" />
            </button>
          </div>
          <div className={`${dayStyles.bar} ${styles.bar}`} {...pointer}>
            {day === null ? null : (
              <>
                <Segments day={day} zone={zone} />
                <Needle day={day} player={player} />
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
};

/** The first trucks that a query finds, by number before others, of those that have a VIN and are not shown yet. */
const findUnits = (fleet: Fleet, query: string, shown: readonly string[]): UnitRow[] => {
  const matches = createMatcher(fleet, query);
  const [byNumber, others]: [number[], number[]] = [[], []];
  fleet.identities.forEach((identity, row) => {
    const key = identity?.key;
    if (key === undefined || key !== identity?.vin || shown.includes(key)) return;
    if (matches !== null && !matches(row)) return;
    (identity.truckNumber?.startsWith(query.trim()) ? byNumber : others).push(row);
  });
  return [...byNumber, ...others].slice(0, MOST_FOUND).flatMap((row) => readUnitRow(fleet, row) ?? []);
};

interface CompareMenuProps {
  /** The truck of the page. */
  vin: string;
  others: readonly string[];
  onChange: (others: string[]) => void;
}

export const CompareMenu = ({ vin, others, onChange }: CompareMenuProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popup
      kind="dialog"
      width={300}
      position="bottom-start"
      isOpen={isOpen}
      onOpenChange={setOpen}
      target={
        <Button variant="default" h={36} px={12} fz={13}>
          Compare…
        </Button>
      }
    >
      {others.length >= MOST_OTHERS ? (
        <p className={`lh-note ${styles.hint}`}>
          {MOST_OTHERS + 1} trucks are shown, which is the most. Remove one first.
        </p>
      ) : (
        <Finder
          shown={[vin, ...others]}
          onFound={(found) => {
            setOpen(false);
            onChange([...others, found]);
          }}
        />
      )}
    </Popup>
  );
};

const Finder = ({ shown, onFound }: { shown: readonly string[]; onFound: (vin: string) => void }) => {
  const { fleet } = useReading();
  const [query, setQuery] = useState('');
  const found = fleet === null ? [] : findUnits(fleet, query, shown);
  const [first] = found;
  return (
    <>
      <TextInput
        data-autofocus
        autoFocus
        type="search"
        aria-label="Truck to compare with"
        placeholder="Truck, VIN, plate, make, device"
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={(event) => isEnter(event) && first?.identity.vin && onFound(first.identity.vin)}
      />
      <ul className={`lh-list ${styles.found}`}>
        {found.map((unit) => (
          <li key={unit.identity.key}>
            <button type="button" className="lh-row" onClick={() => onFound(unit.identity.key)}>
              <StatusGlyph status={unit.status} headingDeg={unit.headingDeg} size={18} />
              <span>{unitTitle(unit.identity)}</span>
              <small>{[unit.identity.make, unit.identity.model].filter(Boolean).join(' ')}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className={`lh-note ${styles.hint}`}>No trucks match.</p> : null}
    </>
  );
};
