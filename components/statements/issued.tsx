import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { ApiForm } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import { useCopy } from '@/components/ui/use-copy';
import { mailDocument, useDocumentChange } from '@/lib/proof/queries';
import { documentMailSchema, type IssuedDocument } from '@/lib/proof/schema';

interface IssuedProps {
  issued: IssuedDocument;
  canMail: boolean;
  onClose: () => void;
}

/** What can be done with a document that was just issued: open, send and mail it. A link for others shows it to them. */
export const Issued = ({ issued, canMail, onClose }: IssuedProps) => {
  const { number, revision } = issued;
  const { copy, outcome } = useCopy('Link');
  const change = useDocumentChange(useUsdot());
  const [isShown, setShown] = useState(issued.isShownByNumber);
  const [mail, setMail] = useState<'none' | 'asked' | 'left' | 'sent'>('none');
  // The button that was pressed is gone.
  const open = useRef<HTMLAnchorElement>(null);
  useEffect(() => open.current?.focus(), []);
  const url = `${window.location.origin}/d/${number}`;
  const copyLink = (): void => {
    if (isShown) return void copy(url);
    const shown = change.mutateAsync({ number, isShownByNumber: true }).then(() => url);
    // The change has its own error.
    void copy(shown).then(
      () => setShown(true),
      () => undefined,
    );
  };
  return (
    <Stack>
      <p>
        <b>{number}</b>
        {revision > 1 ? `, revision ${revision}` : ''}.{' '}
        {isShown
          ? 'Anyone who has the link can open and check it.'
          : 'Only your users can open its page. Anyone can check its PDF.'}
        {mail === 'sent' ? ' It was mailed.' : null}
      </p>
      {change.error ? <ProblemNote role="alert">{change.error.message}</ProblemNote> : null}
      {mail === 'asked' ? (
        <MailForm number={number} onSent={() => setMail('sent')} onCancel={() => setMail('left')} />
      ) : (
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {canMail ? (
            <Button variant="default" autoFocus={mail !== 'none'} onClick={() => setMail('asked')}>
              Mail…
            </Button>
          ) : null}
          <Button variant="default" loading={change.isPending} onClick={copyLink}>
            {outcome ?? (isShown ? 'Copy link' : 'Copy link for anyone')}
          </Button>
          {/* Not a page of the application, so not a link of its router. */}
          <Button component="a" href={url} ref={open}>
            Open
          </Button>
        </Group>
      )}
    </Stack>
  );
};

interface MailFormProps {
  number: string;
  onSent: () => void;
  onCancel: () => void;
}

const MailForm = ({ number, onSent, onCancel }: MailFormProps) => {
  const usdot = useUsdot();
  const announce = useAnnounce();
  return (
    <ApiForm
      initialValues={{ address: '' }}
      schema={documentMailSchema}
      action="Send"
      send={async (input) => {
        await mailDocument(usdot, number, input);
        announce('Mail sent');
        onSent();
      }}
      onCancel={onCancel}
    >
      {({ field }) => (
        <TextInput
          label="E-mail address"
          description="The mail has the PDF, and says how to check it without an account."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="email"
          autoComplete="email"
          // It takes the place of the button that was pressed.
          autoFocus
          {...field('address')}
        />
      )}
    </ApiForm>
  );
};
