import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOpenDialog, type PageDialog } from '@/components/kit/page-dialog';
import { useCopy } from '@/components/ui/use-copy';

interface LinkActionsProps {
  what: 'link' | 'calendar';
  recipient: string;
  readUrl: () => Promise<string>;
  /** The dialogs of its actions, and the one for an address that the browser does not let a page copy. */
  change: PageDialog;
  revoke: PageDialog;
  byHand: (url: string, onClose: () => void) => ReactNode;
  isSmall?: boolean;
  onFailure: (text: string | null) => void;
}

/** Copies what is open again, changes it, or revokes it. */
export const LinkActions = (props: LinkActionsProps) => {
  const { what, recipient, readUrl, change, revoke, byHand, isSmall = false, onFailure } = props;
  const open = useOpenDialog();
  const { outcome, copy } = useCopy(what === 'link' ? 'Link' : 'Calendar address');
  const copyAgain = async (): Promise<void> => {
    onFailure(null);
    const reading = readUrl();
    try {
      if (await copy(reading)) return;
      const url = await reading;
      open((onClose) => byHand(url, onClose));
    } catch (cause) {
      onFailure(cause instanceof Error ? cause.message : String(cause));
    }
  };
  const look = { size: isSmall ? 'xs' : 'sm', variant: 'default' } as const;
  const of = `the ${what} for ${recipient}`;
  return (
    <>
      <Button {...look} aria-label={`Copy ${of}`} onClick={() => void copyAgain()}>
        {outcome ?? 'Copy'}
      </Button>
      <Button {...look} aria-label={`Change ${of}`} onClick={() => open(change)}>
        Change
      </Button>
      <Button {...look} aria-label={`Revoke ${of}`} onClick={() => open(revoke)}>
        Revoke
      </Button>
    </>
  );
};
