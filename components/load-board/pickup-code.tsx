import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog } from '@/components/kit/dialog';
import { Answered, LoadingLines } from '@/components/kit/full-page';
import { QrCode, SecretLine } from '@/components/kit/secrets';
import { useAnnounce } from '@/components/ui/announcer';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Load } from '@/lib/loads/load';
import { useCodeChanges, usePickupCode } from '@/lib/pickup-check/queries';
import type { PickupCode } from '@/lib/pickup-check/schema';
import { formatMoment } from '@/lib/view/format';

interface PickupCodeProps {
  load: Load;
  onClose: () => void;
}

/** The code by which a dock checks the truck of a load: to be made, shown, printed and ended. */
export const PickupCodeDialog = ({ load, onClose }: PickupCodeProps) => {
  const query = usePickupCode(useUsdot(), load.id);
  return (
    <Dialog title={`Pickup code of load ${load.reference}`} onClose={onClose}>
      <Answered
        query={query}
        failure="The pickup code could not be shown."
        loading={<LoadingLines label="Loading the pickup code…" />}
      >
        {({ code, isOpen }) => <Content load={load} code={code} isOpen={isOpen} onClose={onClose} />}
      </Answered>
    </Dialog>
  );
};

/** The address of a page, of which a server without a public URL knows the path only. */
const toUrl = (link: string): string => new URL(link, window.location.origin).href;

/** Opens the page of a code and prints it. */
const printPage = (url: string): void => {
  const opened = window.open(new URL(url).pathname, '_blank');
  opened?.addEventListener('load', () => opened.print());
};

interface ContentProps extends PickupCodeProps {
  code: PickupCode | null;
  isOpen: boolean;
}

const OPEN_TEXT =
  'Give this code to the shipper. Their dock types the last 8 of the VIN, the plate or the truck number, and learns whether it is the truck of this load and near: without an account, until the truck has left the pickup. Each check is in the history of the load.';
const OVER_TEXT = 'There is no pickup left to check: the truck has left it, or the load has ended.';

const Content = ({ load, code, isOpen, onClose }: ContentProps) => {
  const nowMs = useServerNowMs();
  const shown = isOpen ? code : null;
  return (
    <Stack gap={16}>
      <p>{isOpen ? OPEN_TEXT : OVER_TEXT}</p>
      {shown === null ? null : (
        <>
          <SecretLine label="code" text={shown.code} />
          <SecretLine label="address" text={toUrl(shown.link)} />
          <QrCode text={toUrl(shown.link)} label={`QR code of the page for ${shown.code}`} />
          <p className="lh-note">
            Made {formatMoment(shown.madeMs, nowMs)} by {shown.madeBy}
          </p>
        </>
      )}
      <Buttons load={load} shown={shown} isOpen={isOpen} onClose={onClose} />
    </Stack>
  );
};

const Buttons = ({
  load,
  shown,
  isOpen,
  onClose,
}: Omit<ContentProps, 'code'> & { shown: PickupCode | null }) => {
  const { make, end } = useCodeChanges(useUsdot(), load.id);
  const announce = useAnnounce();
  const [failure, setFailure] = useState<string | null>(null);
  const isSending = make.isPending || end.isPending;
  const run = (work: Promise<unknown>, done: string): void => {
    setFailure(null);
    work.then(
      () => announce(done),
      (reason: Error) => setFailure(reason.message),
    );
  };
  const makeOne = () => run(make.mutateAsync(), 'Pickup code made');
  return (
    <>
      {failure === null ? null : <ProblemNote role="alert">{failure}</ProblemNote>}
      <Group justify="flex-end" gap={8}>
        {shown === null ? null : (
          <>
            <Button
              variant="default"
              disabled={isSending}
              onClick={() => run(end.mutateAsync(), 'Pickup code ended')}
            >
              End this code
            </Button>
            <Button variant="default" disabled={isSending} onClick={makeOne}>
              Replace it
            </Button>
            <Button variant="default" onClick={() => printPage(toUrl(shown.link))}>
              Print
            </Button>
          </>
        )}
        {isOpen && shown === null ? (
          <Button data-autofocus loading={isSending} onClick={makeOne}>
            Make a code
          </Button>
        ) : (
          <Button onClick={onClose}>Done</Button>
        )}
      </Group>
    </>
  );
};
