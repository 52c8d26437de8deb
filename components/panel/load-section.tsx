import { Suspense } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { useUnitMarks } from '@/components/fleet-state/marks';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Section } from './facts';
import type { UnitIdentity } from '@/lib/wire/fleet';

const unitLoads = onDemand(() => import('@/components/loads/unit-loads').then(({ UnitLoads }) => UnitLoads));
const pastLoads = onDemand(() => import('@/components/loads/past-loads').then(({ PastLoads }) => PastLoads));

/** The loads of a unit, now or at the moment that is shown; nothing without one. */
export const LoadSection = ({ identity }: { identity: UnitIdentity }) => {
  const { loads } = useUnitMarks(identity);
  const { past } = useReading();
  const ids = loads.map(({ id }) => id);
  return loads.length === 0 ? null : (
    <Suspense>
      <Section head={loads.length === 1 ? 'Load' : 'Loads'}>
        {past === null ? <unitLoads.Part ids={ids} /> : <pastLoads.Part ids={ids} atMs={past.atMs} />}
      </Section>
    </Suspense>
  );
};
