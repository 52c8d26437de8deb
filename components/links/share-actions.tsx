import { Button } from '@mantine/core';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { useAnnounce } from '@/components/ui/announcer';
import { useCopy } from '@/components/ui/use-copy';
import { readShareUrl, useShareChanges } from '@/lib/shares/queries';
import type { Share } from '@/lib/shares/schema';
import { ChangeShare, Made } from '@/components/shares/share-dialog';

type Task = { kind: 'change' } | { kind: 'revoke' } | { kind: 'byHand'; url: string };

interface ShareActionsProps {
  share: Share;
  isSmall?: boolean;
  onFailure: (text: string | null) => void;
}

/** Copies an open link again, changes it, or revokes it. */
export const ShareActions = ({ share, isSmall = false, onFailure }: ShareActionsProps) => {
  const usdot = useUsdot();
  const [task, setTask] = useState<Task | null>(null);
  const { outcome, copy } = useCopy('Link');
  if (share.state !== 'open') return null;
  const copyAgain = async (): Promise<void> => {
    onFailure(null);
    const reading = readShareUrl(usdot, share.id);
    try {
      if (!(await copy(reading))) setTask({ kind: 'byHand', url: await reading });
    } catch (cause) {
      onFailure(cause instanceof Error ? cause.message : String(cause));
    }
  };
  const look = { size: isSmall ? 'xs' : 'sm', variant: 'default' } as const;
  const of = `for ${share.recipient}`;
  const close = (): void => setTask(null);
  return (
    <>
      <Button {...look} aria-label={`Copy the link ${of}`} onClick={() => void copyAgain()}>
        {outcome ?? 'Copy'}
      </Button>
      <Button {...look} aria-label={`Change the link ${of}`} onClick={() => setTask({ kind: 'change' })}>
        Change
      </Button>
      <Button {...look} aria-label={`Revoke the link ${of}`} onClick={() => setTask({ kind: 'revoke' })}>
        Revoke
      </Button>
      {task?.kind === 'change' ? <ChangeShare share={share} onClose={close} /> : null}
      {task?.kind === 'revoke' ? <RevokeShare share={share} onClose={close} /> : null}
      {task?.kind === 'byHand' ? (
        <Dialog title="Copy the link by hand" onClose={close}>
          <Made made={{ share, url: task.url }} isCopied={false} onClose={close} />
        </Dialog>
      ) : null}
    </>
  );
};

const RevokeShare = ({ share, onClose }: { share: Share; onClose: () => void }) => {
  const { revoke } = useShareChanges(useUsdot());
  const announce = useAnnounce();
  return (
    <FormDialog
      title={`Revoke the link for ${share.recipient}?`}
      action="Revoke"
      isDangerous
      send={async () => {
        await revoke.mutateAsync(share.id);
        announce('Link revoked');
      }}
      onClose={onClose}
    >
      People who have it see nothing from now on, also where its page is open, as if it had never been made.
      This cannot be undone, but you can make a new link.
    </FormDialog>
  );
};
