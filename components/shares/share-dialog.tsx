import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog } from '@/components/kit/dialog';
import { LoadingLines } from '@/components/kit/full-page';
import { Link } from '@/components/ui/link';
import { usePhone } from '@/components/layout/shell';
import { useTruckName } from '@/components/fleet-state/use-trucks';
import { useAnnounce } from '@/components/ui/announcer';
import { ApiForm } from '@/components/ui/api-form';
import { BareButton } from '@/components/ui/bare-button';
import { ProblemNote } from '@/components/ui/problem-note';
import { useCopy } from '@/components/ui/use-copy';
import type { Load } from '@/lib/loads/load';
import type { Share, ShareInput } from '@/lib/shares/schema';
import { useShareChanges } from '@/lib/shares/queries';
import { endText, placeOf } from '@/lib/shares/text';
import { ShareFields } from './share-fields';
import {
  toTypedShare,
  typedShareSchema,
  valuesOfLoad,
  valuesOfShare,
  valuesOfTruck,
  type ShareReading,
  type ShareValues,
} from './share-values';
import styles from './shares.module.css';
import { useShareReading } from './use-share-reading';

interface NewShareProps {
  /** The load that it is for; null: a truck. */
  load: Load | null;
  /** The truck's key; null: only the load can be shared. */
  unit: string | null;
  onClose: () => void;
}

/** Makes a link for a load or a truck, with what most customers need already chosen, and copies it. */
export const NewShare = ({ load, unit, onClose }: NewShareProps) => {
  const { make } = useShareChanges(useUsdot());
  const nameOf = useTruckName();
  const reading = useShareReading(load);
  const [chosen, setChosen] = useState<'load' | 'truck' | null>(null);
  const isTruck = (chosen ?? (load === null ? 'truck' : 'load')) === 'truck';
  const [made, setMade] = useState<(MadeProps['made'] & { isCopied: boolean }) | null>(null);
  const { copy } = useCopy('Link');
  const [isSending, setSending] = useState(false);
  if (made !== null)
    return (
      <Dialog title={made.isCopied ? 'Link copied' : 'Link made'} onClose={onClose}>
        <Made made={made} isCopied={made.isCopied} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title="Share link" size="xl" isSending={isSending} onClose={onClose}>
      {load === null || unit === null ? null : (
        <BareButton
          className={`lh-link ${styles.instead}`}
          onClick={() => setChosen(isTruck ? 'load' : 'truck')}
        >
          {isTruck ? `Share load ${load.reference} instead` : `Share truck ${nameOf(unit)} instead`}
        </BareButton>
      )}
      {/* Only the loads say whether the truck has one. */}
      {load === null && !reading.isRead ? (
        <LoadingLines label="Loading the loads…" />
      ) : (
        <ShareForm
          // Each begins with its own choices.
          key={String(isTruck)}
          isFolded
          initialValues={isTruck ? valuesOfTruck(unit!, nameOf(unit!)) : valuesOfLoad(load!)}
          reading={reading}
          action="Make and copy link"
          send={async ({ input }) => {
            setSending(true);
            try {
              const making = make.mutateAsync(input);
              const isCopied = await copy(making);
              setMade({ share: input, url: await making, isCopied });
            } finally {
              setSending(false);
            }
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
};

interface ChangeShareProps {
  share: Share;
  onClose: () => void;
}

export const ChangeShare = ({ share, onClose }: ChangeShareProps) => {
  const { change } = useShareChanges(useUsdot());
  const announce = useAnnounce();
  const reading = useShareReading();
  const [isSending, setSending] = useState(false);
  return (
    <Dialog
      title={`Change the link for ${share.recipient}`}
      size="xl"
      isSending={isSending}
      onClose={onClose}
    >
      {reading.isRead ? (
        <ShareForm
          initialValues={valuesOfShare(share, reading)}
          reading={reading}
          action="Save"
          send={async ({ input }) => {
            setSending(true);
            await change.mutateAsync({ id: share.id, share: input }).finally(() => setSending(false));
            announce('Link changed');
            onClose();
          }}
          onClose={onClose}
        />
      ) : (
        <LoadingLines label="Loading the places where it may end…" />
      )}
    </Dialog>
  );
};

interface ShareFormProps {
  /** A phone shows what is chosen as a sentence, so that its button is in sight. */
  isFolded?: boolean;
  initialValues: ShareValues;
  reading: ShareReading;
  action: string;
  send: (typed: ReturnType<typeof toTypedShare>) => Promise<void>;
  onClose: () => void;
}

const ShareForm = (props: ShareFormProps) => {
  const { isFolded = false, initialValues, reading, action, send, onClose } = props;
  const [first] = useState(initialValues);
  return (
    <ApiForm
      initialValues={first}
      toInput={(values) => toTypedShare(values, reading)}
      schema={typedShareSchema}
      action={action}
      send={send}
      onCancel={onClose}
    >
      {(form) => <ShareFields form={form} reading={reading} isFolded={isFolded} />}
    </ApiForm>
  );
};

interface MadeProps {
  made: { share: ShareInput; url: string };
  /** It is on the clipboard; else it is selected, to be copied by hand. */
  isCopied: boolean;
  onClose: () => void;
}

/** The code that shows a link in a frame of another site. */
export const toFrame = (url: string): string =>
  `<iframe src="${url}" title="Where is it?" width="100%" height="640" style="border:0"></iframe>`;

/** A link that was made: to copy again, by hand too, or to pass on. */
export const Made = ({ made: { share, url }, isCopied, onClose }: MadeProps) => {
  const reading = useShareReading();
  const field = useRef<HTMLInputElement>(null);
  const done = useRef<HTMLButtonElement>(null);
  const { outcome, copy } = useCopy('Link');
  useEffect(() => {
    if (isCopied) done.current?.focus();
    else field.current?.select();
  }, [isCopied]);
  const until = endText(share, placeOf(share, reading), reading.nowMs);
  return (
    <Stack gap={16}>
      {isCopied ? null : (
        <ProblemNote role="note">The browser did not let it be copied. Copy it by hand.</ProblemNote>
      )}
      <p>
        Anyone who has this link can open it without an account, until {until}. You find it again under{' '}
        <Link href={`/fleets/${useUsdot()}/links`}>Links</Link>.
      </p>
      <div className={styles.line}>
        <TextInput
          ref={field}
          label={`Link for ${share.recipient}`}
          readOnly
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button variant="default" onClick={() => void copy(url)}>
          {outcome ?? 'Copy'}
        </Button>
      </div>
      {share.frameOrigins.length === 0 ? null : <Frame url={url} />}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" component="a" href={url} target="_blank" rel="noreferrer">
          See what they see
        </Button>
        <SendButton url={url} />
        <Button ref={done} onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
};

const Frame = ({ url }: { url: string }) => {
  const { outcome, copy } = useCopy('Code of the frame');
  return (
    <div className={styles.line}>
      <TextInput label="Code for a frame in their site" readOnly value={toFrame(url)} />
      <Button variant="default" aria-label="Copy the code" onClick={() => void copy(toFrame(url))}>
        {outcome ?? 'Copy'}
      </Button>
    </div>
  );
};

/** Opens the phone's own sheet, with the apps that can pass a link on; nothing where there is none. */
const SendButton = ({ url }: { url: string }) => {
  const [failure, setFailure] = useState<string | null>(null);
  const isPhone = usePhone();
  if (!isPhone || !('share' in navigator)) return null;
  const onClick = (): void =>
    void navigator.share({ url }).catch((reason: Error) => {
      // Closing the sheet is no failure.
      if (reason.name !== 'AbortError') setFailure(reason.message);
    });
  return (
    <>
      {failure === null ? null : <ProblemNote role="alert">{failure}</ProblemNote>}
      <Button variant="default" onClick={onClick}>
        Send…
      </Button>
    </>
  );
};
