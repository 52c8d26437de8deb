import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { LinkActions } from '@/components/shares/link-actions';
import { ChangeShare, Made } from '@/components/shares/share-dialog';
import { useAnnounce } from '@/components/ui/announcer';
import { readShareUrl, useShareChanges } from '@/lib/shares/queries';
import type { Share } from '@/lib/shares/schema';

interface ShareActionsProps {
  share: Share;
  isSmall?: boolean;
  onFailure: (text: string | null) => void;
}

/** Copies an open link again, changes it, or revokes it. */
export const ShareActions = ({ share, ...look }: ShareActionsProps) => {
  const usdot = useUsdot();
  return share.state !== 'open' ? null : (
    <LinkActions
      {...look}
      what="link"
      recipient={share.recipient}
      readUrl={() => readShareUrl(usdot, share.id)}
      change={(onClose) => <ChangeShare share={share} onClose={onClose} />}
      revoke={(onClose) => <RevokeShare share={share} onClose={onClose} />}
      byHand={(url, onClose) => (
        <Dialog title="Copy the link by hand" onClose={onClose}>
          <Made made={{ share, url }} isCopied={false} onClose={onClose} />
        </Dialog>
      )}
    />
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
