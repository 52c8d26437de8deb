'use client';

import { judgeVin } from '@/lib/identity/judge-vin';
import type { VinFinding } from '@/lib/identity/judge-vin';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { CopyButton } from './copy-button';
import { Fact, Facts, Section, Verdict } from './facts';
import styles from './vehicle-section.module.css';

interface VehicleSectionProps {
  identity: UnitIdentity;
  /** Nothing was said of the vehicle yet: what is missing cannot be called "not given". */
  isUntold?: boolean;
}

/** Which vehicle a unit is, and whether its VIN agrees with what is said of it. */
export const VehicleSection = ({ identity, isUntold = false }: VehicleSectionProps) => {
  const { vin, make, model, year, assetType, fuelType, plateState, plateNumber, deviceId } = identity;
  const findings =
    vin === null
      ? []
      : judgeVin({ vin, make, model, year }).filter(({ verdict }) => !isUntold || verdict !== 'unknown');
  const absent = isUntold ? 'not known yet' : undefined;
  return (
    <Section head="Vehicle">
      <Facts>
        <Fact name="VIN" aside={vin === null ? null : <CopyButton text={vin} what="VIN" />}>
          {vin === null ? null : <span className="lh-code">{vin}</span>}
        </Fact>
        {vin === null ? null : <VinJudgement findings={findings} />}
        <Fact name="Make, model" absent={absent}>
          {[make, model].filter(Boolean).join(' ')}
        </Fact>
        <Fact name="Year" absent={absent}>
          {year}
        </Fact>
        <Fact name="Type, fuel" absent={absent}>
          {[assetType, fuelType].filter(Boolean).join(' · ')}
        </Fact>
        <Fact name="Plate" absent={absent}>
          {[plateState, plateNumber].filter(Boolean).join(' · ')}
        </Fact>
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

/** What is wrong in full, what is right in a line. */
const VinJudgement = ({ findings }: { findings: readonly VinFinding[] }) => {
  const right = findings.filter(({ verdict }) => verdict === 'right').map(({ about }) => NAMES[about]);
  return (
    <div className={styles.judgment}>
      <dt>VIN check</dt>
      {findings
        .filter(({ verdict }) => verdict !== 'right')
        .map(({ about, verdict, words }) => (
          <dd key={about}>
            <Verdict verdict={verdict}>{words}</Verdict>
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
