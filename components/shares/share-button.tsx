import { Button, type ButtonProps } from '@mantine/core';
import { IconShare3 } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useUnitMarks } from '@/components/fleet-state/marks';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { Load } from '@/lib/loads/load';
import { useLoads } from '@/lib/loads/queries';
import type { UnitIdentity } from '@/lib/wire/fleet';

const newShare = onDemand(() => import('./share-dialog').then(({ NewShare }) => NewShare));

interface ShareButtonProps extends ButtonProps {
  load: Load | null;
  unit: string | null;
}

/** Opens the dialog that makes a link; nothing in the past. */
const ShareButton = ({ load, unit, ...look }: ShareButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  const { past } = useReading();
  return past !== null ? null : (
    <>
      <Button
        variant="default"
        leftSection={<IconShare3 size={16} stroke={1.75} aria-hidden="true" />}
        {...look}
        onPointerEnter={newShare.preload}
        onFocus={newShare.preload}
        onClick={() => setOpen(true)}
      >
        Share
      </Button>
      {isOpen ? (
        <Suspense>
          <newShare.Part load={load} unit={unit} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
};

export const ShareLoad = ({ load }: { load: Load }) => <ShareButton load={load} unit={null} />;

/** Shares the most urgent load that a truck has; without one, the truck. */
export const ShareUnit = ({ identity, ...look }: ButtonProps & { identity: UnitIdentity }) => {
  const [first] = useUnitMarks(identity).loads;
  const loads = useLoads(useUsdot(), first !== undefined).data?.loads;
  const load = loads?.find(({ id }) => id === first?.id) ?? null;
  return <ShareButton {...look} load={load} unit={identity.key} />;
};
