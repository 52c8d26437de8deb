import { Button, type ButtonProps } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { TimeRange } from '@/lib/base/time';

const dialog = onDemand(() =>
  import('./certificate-dialog').then(({ CertificateDialog }) => CertificateDialog),
);

interface CertificateButtonProps extends ButtonProps {
  /** The truck by its key, and by its name. */
  unit: string;
  name: string;
  /** The range that is offered first, Unix ms; absent: the present moment. */
  range?: TimeRange;
}

/** Opens the dialog that issues a certificate of where a truck was; nothing in the past. */
export const CertificateButton = ({ unit, name, range, ...look }: CertificateButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  const { past } = useReading();
  return past === null ? (
    <>
      <Button
        variant="default"
        leftSection={<IconFileCertificate size={16} stroke={1.75} aria-hidden="true" />}
        {...look}
        onPointerEnter={dialog.preload}
        onFocus={dialog.preload}
        onClick={() => setOpen(true)}
      >
        Certificate
      </Button>
      {isOpen ? (
        <Suspense>
          <dialog.Part unit={unit} name={name} range={range ?? null} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  ) : null;
};
