import { useUsdot } from '@/components/fleet-state/fleet-context';
import { NearLink } from '@/components/ui/near-link';
import type { CivilDay } from '@/lib/trips/days';
import { parseVin } from '@/lib/identity/vin';
import styles from './report.module.css';

/** A unit's name, which leads to its day; one without a VIN has no page. */
export const UnitLink = ({ unit, day }: { unit: { key: string; name: string }; day: CivilDay }) => {
  const usdot = useUsdot();
  return parseVin(unit.key) === null ? (
    <b>{unit.name}</b>
  ) : (
    <NearLink href={`/fleets/${usdot}/units/${unit.key}?view=day&day=${day}`} className={styles.unit}>
      {unit.name}
    </NearLink>
  );
};
