import { Suspense } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { useUnitMarks } from '@/components/fleet-state/marks';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { UnitIdentity } from '@/lib/wire/fleet';

const openShares = onDemand(() => import('./open-shares').then(({ OpenShares }) => OpenShares));

interface SharesProps {
  loadIds: readonly number[];
  unit: string | null;
}

/** The open links of a truck or load, whose code comes after the rest of its page; nothing in the past. */
const Shares = (props: SharesProps) => {
  const { past } = useReading();
  return past === null ? (
    <Suspense>
      <openShares.Part {...props} />
    </Suspense>
  ) : null;
};

export const SharesOfLoad = ({ id }: { id: number }) => <Shares loadIds={[id]} unit={null} />;

/** The open links of a truck, and of the loads that it has: they show where it is too. */
export const SharesOfUnit = ({ identity }: { identity: UnitIdentity }) => (
  <Shares loadIds={useUnitMarks(identity).loads.map(({ id }) => id)} unit={identity.key} />
);
