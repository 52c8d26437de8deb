import { Fact, Facts, Section } from '@/components/panel/facts';
import { useReading } from '@/components/fleet-state/fleet-context';
import { useNowMs } from '@/components/ui/use-now';
import { compassPoint } from '@/lib/geo/geodesy';
import { formatCount, formatMoment, toMph, formatWhole } from '@/lib/view/format';
import type { Reported } from '@/lib/wire/unit';
import { METERS_PER_MILE } from '@/lib/geo/units';

const IGNITION_LABELS = { true: 'on', false: 'off' } as const;

const toMotion = ({ speedKph, headingDeg }: Reported): string => {
  const speed = speedKph === null ? null : `${toMph(speedKph)} mph`;
  const heading = headingDeg === null ? null : `${compassPoint(headingDeg, 8)} (${Math.round(headingDeg)}°)`;
  return [speed, heading].filter(Boolean).join(' · ');
};

const toOdometer = (odometerM: number): string =>
  `${formatWhole(Math.round(odometerM / METERS_PER_MILE))} mi`;

/** What the device itself reported, beside what is derived from its fixes; only what it did report. */
export const ReportedSection = ({ reported }: { reported: Reported }) => {
  const nowMs = useNowMs();
  const { skewMs } = useReading();
  const { fixAtMs, batteryPercent, isIgnitionOn, odometerM, alarm, noPositionCount, noPositionAtMs } =
    reported;
  const moment = (atMs: number) => formatMoment(atMs - skewMs, nowMs);
  const facts: [name: string, text: string | null][] = [
    ['Motion', toMotion(reported) || null],
    ['Battery', batteryPercent === null ? null : `${Math.round(batteryPercent)}%`],
    ['Ignition', isIgnitionOn === null ? null : IGNITION_LABELS[`${isIgnitionOn}`]],
    ['Odometer', odometerM === null ? null : toOdometer(odometerM)],
    ['Alarm', alarm],
    ['Reported at', fixAtMs === null ? null : moment(fixAtMs)],
    [
      'No position',
      noPositionAtMs === null
        ? null
        : `${formatCount(noPositionCount, 'report')}, the last at ${moment(noPositionAtMs)}`,
    ],
  ];
  const known = facts.filter(([, text]) => text !== null);
  return (
    <Section head="Reported by the device">
      <Facts>
        {known.map(([name, text]) => (
          <Fact key={name} name={name}>
            {text}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
};
