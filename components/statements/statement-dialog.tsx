import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog } from '@/components/kit/dialog';
import { LoadingLines } from '@/components/kit/full-page';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { useAnnounce } from '@/components/ui/announcer';
import { ApiForm } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import { useCopy } from '@/components/ui/use-copy';
import type { StatementPreview, StayRef } from '@/lib/proof/detention';
import { useIssue, usePreview } from '@/lib/proof/detention-queries';
import { mailDocument } from '@/lib/proof/queries';
import { documentMailSchema } from '@/lib/proof/schema';
import { moneyText } from '@/lib/proof/detention-text';
import styles from './statements.module.css';
import { TermsForm, type TermsSubject } from './terms-form';

interface StatementDialogProps {
  stay: StayRef;
  onClose: () => void;
}

/** What a statement about a stay would say now, and the button that issues it. */
export const StatementDialog = ({ stay, onClose }: StatementDialogProps) => {
  const query = usePreview(useUsdot(), stay);
  const [issued, setIssued] = useState<{ number: string; revision: number; isShownByNumber: boolean } | null>(
    null,
  );
  const [isSending, setSending] = useState(false);
  if (issued !== null)
    return (
      <Dialog title="Statement issued" isReadOut onClose={onClose}>
        <Issued issued={issued} canMail={query.data?.canMail === true} onClose={onClose} />
      </Dialog>
    );
  const { data, error } = query;
  return (
    <Dialog title="Detention statement" size="xl" isSending={isSending} onClose={onClose}>
      {error ? (
        <Stack>
          <ProblemNote>{error.message}</ProblemNote>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Group>
        </Stack>
      ) : data === undefined ? (
        <LoadingLines label="Loading what is known of the stay…" />
      ) : data.amountCents === null ? (
        <NoTerms preview={data} onSaved={() => void query.refetch()} onClose={onClose} />
      ) : (
        <Preview
          preview={data}
          stay={stay}
          amountCents={data.amountCents}
          onSending={setSending}
          onIssued={setIssued}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
};

const Facts = ({ parts }: Pick<StatementPreview, 'parts'>) => (
  <div className={styles.parts}>
    {parts
      .filter(({ facts }) => facts.length > 0)
      .map(({ heading, facts }) => (
        <section key={heading}>
          <h3>{heading}</h3>
          <dl className={styles.facts}>
            {facts.map(({ label, value, note }) => (
              <div key={label} style={{ display: 'contents' }}>
                <dt>{label}</dt>
                <dd>
                  {value}
                  {note === undefined ? null : <span className={styles.note}>{note}</span>}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
  </div>
);

interface PreviewProps {
  preview: StatementPreview;
  stay: StayRef;
  amountCents: number;
  onSending: (isSending: boolean) => void;
  onIssued: (issued: { number: string; revision: number; isShownByNumber: boolean }) => void;
  onClose: () => void;
}

const toOtherText = ({ reference }: NonNullable<StatementPreview['other']>): string =>
  reference === '' ? 'no load' : `load ${reference}`;

const Preview = ({ preview, stay, amountCents, onSending, onIssued, onClose }: PreviewProps) => {
  const issue = useIssue(useUsdot());
  const { number, other, about, parts } = preview;
  return (
    <ApiForm
      initialValues={{ isShownByNumber: true }}
      action={number === null ? 'Issue statement' : 'Issue the next revision'}
      send={async ({ isShownByNumber }) => {
        onSending(true);
        const made = await issue
          .mutateAsync({ stay, isShownByNumber, amountCents })
          .finally(() => onSending(false));
        onIssued({ ...made, isShownByNumber });
      }}
      onCancel={onClose}
    >
      {({ field }) => (
        <>
          <p>
            <b>{moneyText(amountCents)}</b> · {about}
            {number === null ? null : ` · ${number} is about this stay already, and stays as it is.`}
            {other === null ? null : ` · ${other.number} bills this stay for ${toOtherText(other)}.`}
          </p>
          <Facts parts={parts} />
          <Checkbox
            label="Anyone who has its number can open it"
            description="Else they need its PDF, or an account. It cannot be guessed."
            {...{ ...field('isShownByNumber'), value: undefined }}
            checked={Boolean(field('isShownByNumber').value)}
            onChange={(event) => field('isShownByNumber').onChange(event.currentTarget.checked)}
          />
        </>
      )}
    </ApiForm>
  );
};

const toSubjects = (preview: StatementPreview): TermsSubject[] => {
  const { customer, siteId, siteName, isOwnCircle, loadId } = preview;
  const none = { customer: null, siteId: null, loadId: null };
  return [
    ...(customer === ''
      ? []
      : [{ ...none, of: 'customer' as const, customer, label: `All stays for ${customer}` }]),
    ...(isOwnCircle ? [] : [{ ...none, of: 'site' as const, siteId, label: `All stays at ${siteName}` }]),
    ...(loadId === null ? [] : [{ ...none, of: 'load' as const, loadId, label: 'This load alone' }]),
    { ...none, of: 'fleet' as const, label: 'All stays without other terms' },
  ];
};

interface NoTermsProps {
  preview: StatementPreview;
  onSaved: () => void;
  onClose: () => void;
}

const NoTerms = ({ preview, onSaved, onClose }: NoTermsProps) =>
  useSeesAllUnits() ? (
    <>
      <p>
        {preview.about}: nothing was agreed about detention here. Give the terms, and the statement follows.
      </p>
      <TermsForm subjects={toSubjects(preview)} terms={null} onSaved={onSaved} onCancel={onClose} />
    </>
  ) : (
    <Stack>
      <p>Nothing was agreed about detention here. A user who sees all trucks can set the terms.</p>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );

interface IssuedProps {
  issued: { number: string; revision: number; isShownByNumber: boolean };
  canMail: boolean;
  onClose: () => void;
}

const Issued = ({ issued: { number, revision, isShownByNumber }, canMail, onClose }: IssuedProps) => {
  const { copy, outcome } = useCopy('Link');
  const [mail, setMail] = useState<'none' | 'asked' | 'sent'>('none');
  const url = `${window.location.origin}/d/${number}`;
  return (
    <Stack>
      <p>
        <b>{number}</b>
        {revision > 1 ? `, revision ${revision}` : ''}.{' '}
        {isShownByNumber
          ? 'Anyone who has the link can open and check it.'
          : 'Only your users can open it. Send its PDF.'}
        {mail === 'sent' ? ' It was mailed.' : null}
      </p>
      {mail === 'asked' ? (
        <MailForm number={number} onSent={() => setMail('sent')} onCancel={() => setMail('none')} />
      ) : (
        <Group>
          {/* Not a page of the application, so not a link of its router. */}
          <Button component="a" href={url}>
            Open
          </Button>
          <Button variant="default" onClick={() => void copy(url)}>
            {outcome ?? 'Copy link'}
          </Button>
          {canMail ? (
            <Button variant="default" onClick={() => setMail('asked')}>
              Mail…
            </Button>
          ) : null}
          <Button variant="default" onClick={onClose}>
            Close
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
          data-autofocus
          {...field('address')}
        />
      )}
    </ApiForm>
  );
};
