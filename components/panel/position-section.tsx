'use client';

import { usePlaces } from '@/components/ui/use-places';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import type { OldCopy } from '@/components/fleet-state/old-copy';
import { useNowMs } from '@/components/ui/use-now';
import { compassPoint } from '@/lib/motion/bearing';
import { exactWords, momentWords } from '@/lib/view/clock';
import { fixAgeWords, toMph } from '@/lib/view/numbers';
import type { UnitRow } from '@/lib/view/unit-row';
import { datedAtMs, offWords, pastAt } from '@/lib/view/text';
import type { LatLng } from '@/lib/wire/units';
import { CopyButton } from './copy-button';
import { Fact, Facts, Section } from './facts';
import { useTruckZone } from './use-truck-zone';

/** Five decimals are about a metre; a proper minus, so that it is not taken for a hyphen. */
const toCoordinates = ({ lat, lng }: LatLng): string =>
  [lat, lng].map((deg) => deg.toFixed(5).replace('-', '−')).join(', ');
const toCopiedCoordinates = ({ lat, lng }: LatLng): string => `${lat.toFixed(5)}, ${lng.toFixed(5)}`;

/** How a unit moves; with the time of its fix where that is old, or of an old copy. `nowMs` is server time. */
const speedAndHeading = (unit: UnitRow, nowMs: number, old: OldCopy | null): string | null => {
  const { status, reason, speedKph, headingDeg } = unit;
  const atMs = datedAtMs(unit, nowMs);
  const dated = atMs === null ? '' : ` at ${momentWords(atMs, nowMs)}`;
  const at = old === null ? dated : ` at ${pastAt(unit, old)}`;
  if (status === 'stopped') return at === '' ? 'stands still' : `stood still${at}`;
  const speed = speedKph === null ? null : `${toMph(speedKph)} mph`;
  const heading = headingDeg === null ? null : `${compassPoint(headingDeg, 8)} (${Math.round(headingDeg)}°)`;
  const words = [speed, heading].filter(Boolean).join(' · ');
  if (words === '') return null;
  return reason === 'displaced' || reason === 'byReceipt' ? `${words}${at}` : `last ${words}`;
};

/** Where a unit is, how it moves and when that was. */
export const PositionSection = ({
  unit,
  skewMs,
  source,
}: {
  unit: UnitRow;
  skewMs: number;
  /** Which answer of the provider the position is from, where there are two. */
  source?: string;
}) => {
  const { position, fixAtMs } = unit;
  const placeAt = usePlaces();
  const nowMs = useNowMs() + skewMs;
  const motion = speedAndHeading(unit, nowMs, useOldCopy());
  const off = unit.coarseM === 0 ? '' : ` ${offWords(unit.coarseM)}`;
  return (
    <Section head="Position">
      <Facts>
        <Fact name="Place">{position === null ? 'no position' : `${placeAt?.(position) ?? '…'}${off}`}</Fact>
        <Fact name="Motion">{motion ?? <NotDerived />}</Fact>
        {fixAtMs === null ? (
          <Fact name="Fix">{position === null ? 'none so far' : 'its time cannot be used'}</Fact>
        ) : (
          <FixTimes unit={unit} fixAtMs={fixAtMs} skewMs={skewMs} />
        )}
        {source === undefined ? null : <Fact name="Source">{source}</Fact>}
        {position === null ? null : (
          <Fact
            name="Coordinates"
            aside={<CopyButton text={toCopiedCoordinates(position)} what="coordinates" />}
          >
            <span className="lh-code">{toCoordinates(position)}</span>
          </Fact>
        )}
      </Facts>
    </Section>
  );
};

const NotDerived = () => (
  <span style={{ color: 'var(--lh-dim)', fontWeight: 400 }}>speed and heading not derived</span>
);

const timeName = ({ position, reason }: UnitRow): string => {
  if (reason === 'byReceipt') return 'Received';
  // A record without coordinates is dated too.
  return position === null ? 'Report' : 'Fix';
};

interface FixTimesProps {
  unit: UnitRow;
  fixAtMs: number;
  skewMs: number;
}

/** When the fix was: by the viewer's clock, and by the truck's where that shows another time. */
const FixTimes = ({ unit, fixAtMs, skewMs }: FixTimesProps) => {
  const nowMs = useNowMs() + skewMs;
  const old = useOldCopy();
  const zone = useTruckZone(unit.position);
  const here = exactWords(fixAtMs, nowMs);
  const there = zone === null ? null : exactWords(fixAtMs, nowMs, zone);
  return (
    <>
      <Fact name={timeName(unit)}>
        {here}
        {old === null ? ` · ${fixAgeWords(nowMs - fixAtMs)}` : null}
      </Fact>
      {there === null || there === here ? null : <Fact name="Truck’s clock">{there}</Fact>}
    </>
  );
};
