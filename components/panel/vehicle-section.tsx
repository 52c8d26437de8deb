import { useEffect, useState } from 'react';
import { judgeVin, type VinFinding } from '@/lib/identity/decode-vin';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { CopyButton, Fact, Facts, Section, Verdict } from './facts';
import styles from './sections.module.css';

/** Loads the table of all makers, which is too large for the first load, and renders again once it is there. */
const useAllMakers = (): void => {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    // Without it, as offline, the VINs of small makers say less.
    import('@/lib/identity/all-makers').then(
      () => setLoaded(true),
      () => undefined,
    );
  }, []);
};

interface VehicleSectionProps {
  identity: UnitIdentity;
  /** Nothing has been loaded yet: what is missing is "not known yet", not "not given". */
  isPending?: boolean;
}

/** Which vehicle a unit is, and whether its VIN agrees with the provider's data. */
export const VehicleSection = ({ identity, isPending = false }: VehicleSectionProps) => {
  const { vin, make, model, year, assetType, fuelType, plateState, plateNumber, deviceId } = identity;
  useAllMakers();
  const findings =
    vin === null
      ? []
      : judgeVin({ vin, make, model, year }).filter(({ verdict }) => !isPending || verdict !== 'unknown');
  const absent = isPending ? 'not known yet' : undefined;
  const facts = {
    'Make, model': [make, model].filter(Boolean).join(' '),
    Year: year,
    'Type, fuel': [assetType, fuelType].filter(Boolean).join(' · '),
    Plate: [plateState, plateNumber].filter(Boolean).join(' · '),
  };
  return (
    <Section head="Vehicle">
      <Facts>
        <Fact name="VIN" aside={vin === null ? null : <CopyButton text={vin} what="VIN" />}>
          {vin === null ? null : <span className="lh-code">{vin}</span>}
        </Fact>
        {vin === null ? null : <VinJudgement findings={findings} />}
        {Object.entries(facts).map(([name, text]) => (
          <Fact key={name} name={name} absent={absent}>
            {text}
          </Fact>
        ))}
        <Fact
          name="Device"
          absent={absent}
          aside={deviceId === null ? null : <CopyButton text={deviceId} what="device" />}
        >
          {deviceId === null ? null : <span className="lh-code">{deviceId}</span>}
        </Fact>
      </Facts>
    </Section>
  );
};

const NAMES: Record<VinFinding['about'], string> = {
  form: 'form',
  checkDigit: 'check digit',
  year: 'year',
  maker: 'maker',
};

/** Faults in full, correct facts in one line. */
const VinJudgement = ({ findings }: { findings: readonly VinFinding[] }) => {
  const right = findings.filter(({ verdict }) => verdict === 'right').map(({ about }) => NAMES[about]);
  return (
    <div className={styles.judgment}>
      <dt>VIN check</dt>
      {findings
        .filter(({ verdict }) => verdict !== 'right')
        .map(({ about, verdict, text }) => (
          <dd key={about}>
            <Verdict verdict={verdict}>{text}</Verdict>
          </dd>
        ))}
      {right.length === 0 ? null : (
        <dd>
          <Verdict verdict="right">{right.join(', ')}</Verdict>
        </dd>
      )}
    </div>
  );
};
