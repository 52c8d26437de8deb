import { useServerNowMs } from '@/components/fleet-state/fleet-context';
import { usePlaceOf } from '@/components/fleet-state/sites';
import { useTruckZone } from '@/components/ui/use-truck-zone';
import { useOldCopy, type OldCopy } from '@/components/fleet-state/old-copy';
import { useIsRendered } from '@/components/ui/use-now';
import { compassPoint } from '@/lib/geo/geodesy';
import { coordinatesText } from '@/lib/gazetteer/coordinates';
import { formatExactTime, formatMoment, fixAgeText, toMph } from '@/lib/view/format';
import type { UnitRow } from '@/lib/view/unit-row';
import { datedAtMs, positionErrorText, pastAt } from '@/lib/view/text';
import { CopyButton, Fact, Facts, Section } from './facts';

/** "61 mph · W (270°)"; empty where neither is known. */
export const speedAndHeading = ({
  speedKph,
  headingDeg,
}: Pick<UnitRow, 'speedKph' | 'headingDeg'>): string => {
  const speed = speedKph === null ? null : `${toMph(speedKph)} mph`;
  const heading = headingDeg === null ? null : `${compassPoint(headingDeg, 8)} (${Math.round(headingDeg)}°)`;
  return [speed, heading].filter(Boolean).join(' · ');
};

/** How a unit moves; with the time of its fix where that is old, or of an old copy. `nowMs` is server time. */
const motionText = (unit: UnitRow, nowMs: number, old: OldCopy | null): string | null => {
  const { status, reason } = unit;
  const atMs = datedAtMs(unit, nowMs);
  const dated = atMs === null ? '' : ` at ${formatMoment(atMs, nowMs)}`;
  const at = old === null ? dated : ` at ${pastAt(unit, old)}`;
  if (status === 'stopped') return at === '' ? 'stands still' : `stood still${at}`;
  const text = speedAndHeading(unit);
  if (text === '') return null;
  return reason === 'displaced' || reason === 'byReceipt' ? `${text}${at}` : `last ${text}`;
};

interface PositionSectionProps {
  unit: UnitRow;
  /** The answer of the provider that the position is from, if there are two. */
  source?: string;
}

export const PositionSection = ({ unit, source }: PositionSectionProps) => {
  const { position, fixAtMs } = unit;
  const placeOf = usePlaceOf();
  const nowMs = useServerNowMs();
  const old = useOldCopy();
  const isTimeKnown = !useIsRendered() || datedAtMs(unit, nowMs) === null;
  const motion = isTimeKnown ? motionText(unit, nowMs, old) : '…';
  const off = unit.coarseM === 0 ? '' : ` ${positionErrorText(unit.coarseM)}`;
  return (
    <Section head="Position">
      <Facts>
        <Fact name="Place">{position === null ? 'no position' : `${placeOf(unit) ?? '…'}${off}`}</Fact>
        <Fact name="Motion">{motion ?? <NotDerived />}</Fact>
        {fixAtMs === null ? (
          <Fact name="Fix">{position === null ? 'none so far' : 'its time cannot be used'}</Fact>
        ) : (
          <FixTimes unit={unit} fixAtMs={fixAtMs} />
        )}
        {source === undefined ? null : <Fact name="Source">{source}</Fact>}
        {position === null ? null : (
          <Fact name="Coordinates" aside={<CopyButton text={coordinatesText(position)} what="coordinates" />}>
            {/* A proper minus, so that it is not taken for a hyphen. */}
            <span className="lh-code">{coordinatesText(position).replaceAll('-', '−')}</span>
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

/** When the fix was: by the viewer's clock, and by the truck's where that shows another time. */
const FixTimes = ({ unit, fixAtMs }: { unit: UnitRow; fixAtMs: number }) => {
  const nowMs = useServerNowMs();
  const old = useOldCopy();
  const zone = useTruckZone(unit.position);
  const isRendered = useIsRendered();
  const here = isRendered ? '…' : formatExactTime(fixAtMs, nowMs);
  const there = isRendered || zone == null ? '…' : formatExactTime(fixAtMs, nowMs, zone);
  return (
    <>
      <Fact name={timeName(unit)}>
        {here}
        {old === null ? ` · ${fixAgeText(nowMs - fixAtMs)}` : null}
      </Fact>
      {/* Also where both are the same: a line that comes later would move all below it. */}
      {zone === null ? null : (
        <Fact name="Truck’s clock">{there === here && !isRendered ? 'the same' : there}</Fact>
      )}
    </>
  );
};
