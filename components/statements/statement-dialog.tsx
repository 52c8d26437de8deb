import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog } from '@/components/kit/dialog';
import { LoadingLines } from '@/components/kit/full-page';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { ApiForm } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import type { StatementPreview, StayRef } from '@/lib/proof/detention';
import { useIssue, usePreview } from '@/lib/proof/detention-queries';
import { moneyText } from '@/lib/proof/detention-text';
import type { IssuedDocument } from '@/lib/proof/schema';
import { Issued } from './issued';
import { ShownField } from './shown-field';
import styles from './statements.module.css';
import { TermsForm, type TermsSubject } from './terms-form';

interface StatementDialogProps {
  stay: StayRef;
  onClose: () => void;
}

/** What a statement about a stay would say now, and the button that issues it. */
export const StatementDialog = ({ stay, onClose }: StatementDialogProps) => {
  const query = usePreview(useUsdot(), stay);
  const [issued, setIssued] = useState<IssuedDocument | null>(null);
  const [isSending, setSending] = useState(false);
  if (issued !== null)
    return (
      <Dialog title="Statement issued" isReadOut onClose={onClose}>
        <Issued issued={issued} canMail={query.data?.canMail === true} onClose={onClose} />
      </Dialog>
    );
  const { data } = query;
  // At once, although it is tried again: what is wrong may be that the truck is still there.
  const error = query.error ?? query.failureReason;
  return (
    <Dialog title="Detention statement" size="xl" isSending={isSending} onClose={onClose}>
      {data === undefined ? (
        error === null ? (
          <LoadingLines label="Loading what is known of the stay…" />
        ) : (
          <Stack>
            <ProblemNote role="alert">{error.message}</ProblemNote>
            <Group justify="flex-end" gap={8}>
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
              <Button loading={query.fetchStatus === 'fetching'} onClick={() => void query.refetch()}>
                Try again
              </Button>
            </Group>
          </Stack>
        )
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
  <div className={styles.parts} tabIndex={0} role="region" aria-label="What it says">
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
  onIssued: (issued: IssuedDocument) => void;
  onClose: () => void;
}

const toOtherText = ({ reference }: NonNullable<StatementPreview['other']>): string =>
  reference === '' ? 'no load' : `load ${reference}`;

const Preview = ({ preview, stay, amountCents, onSending, onIssued, onClose }: PreviewProps) => {
  const issue = useIssue(useUsdot());
  const { number, other, about, parts } = preview;
  return (
    <ApiForm
      initialValues={{ isShownByNumber: false }}
      action={number === null ? 'Issue statement' : 'Issue the next revision'}
      send={async ({ isShownByNumber }) => {
        onSending(true);
        const made = await issue
          .mutateAsync({ stay, isShownByNumber, amountCents })
          .finally(() => onSending(false));
        onIssued(made);
      }}
      onCancel={onClose}
    >
      {({ field }) => (
        <>
          <p>
            <b className={styles.amount}>{moneyText(amountCents)}</b> · {about}
            {number === null ? null : ` · ${number} is about this stay already, and stays as it is.`}
            {other === null ? null : ` · ${other.number} bills this stay for ${toOtherText(other)}.`}
          </p>
          <Facts parts={parts} />
          {number === null ? <ShownField field={field} /> : null}
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
