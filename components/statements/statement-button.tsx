import { Button, type ButtonProps } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { useOpenDialog } from '@/components/kit/page-dialog';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { StayRef } from '@/lib/proof/detention';

const dialog = onDemand(() => import('./statement-dialog').then(({ StatementDialog }) => StatementDialog));

interface StatementButtonProps extends ButtonProps {
  stay: StayRef;
  /** What the stay is, for screen readers. */
  about: string;
}

/** Opens the detention statement about a stay that has ended. */
export const StatementButton = ({ stay, about, ...look }: StatementButtonProps) => {
  const open = useOpenDialog();
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconFileCertificate size={16} stroke={1.75} aria-hidden="true" />}
      {...look}
      aria-label={`Statement about ${about}…`}
      onPointerEnter={dialog.preload}
      onFocus={dialog.preload}
      onClick={() => open((onClose) => <dialog.Part stay={stay} onClose={onClose} />)}
    >
      Statement…
    </Button>
  );
};
