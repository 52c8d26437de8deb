'use client';

import { Button, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useDeferredValue, useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Answered, FullPage, LoadingLines, Message, PageHead, Segments } from '@/components/kit/full-page';
import { FormDialog } from '@/components/kit/dialog';
import { WindowTable, type Column } from '@/components/kit/table';
import { usePhone } from '@/components/layout/shell';
import { Link } from '@/components/ui/link';
import { useNowMs } from '@/components/ui/use-now';
import { DOCUMENT_KINDS, type DocumentKind } from '@/lib/proof/content';
import { mailDocument, useDocumentChange, useDocuments } from '@/lib/proof/queries';
import { documentMailSchema, type DocumentRow } from '@/lib/proof/schema';
import { KIND_LABELS, KIND_PLURALS, findDocuments } from '@/lib/proof/text';
import { formatMoment } from '@/lib/view/format';
import { ProofLinks } from './detention/proof-links';
import styles from './proof.module.css';

const ROW_PX = 62;
const PHONE_ROW_PX = 130;

/** The documents of a fleet: what was issued, to be opened, sent and checked. */
export const ProofPage = () => {
  // Times are the browser's.
  const isMounted = useMounted();
  return (
    <FullPage notices={<Notices />}>
      <PageHead
        title="Proof"
        about={
          <>
            <p>Signed documents that a customer can check without an account.</p>
            <ProofLinks here="documents" />
          </>
        }
      />
      {isMounted ? <Documents /> : LOADING}
    </FullPage>
  );
};

const LOADING = <LoadingLines label="Loading the documents…" />;
const NONE: readonly DocumentRow[] = [];

const Documents = () => {
  const query = useDocuments(useUsdot());
  const [text] = useSearchText();
  const find = useDeferredValue(text);
  const [kind, choose] = useState<DocumentKind | null>(null);
  const found = findDocuments(query.data?.documents ?? NONE, find);
  const listed = kind === null ? found : found.filter((row) => row.kind === kind);
  const countOf = (of: DocumentKind | null): number =>
    found.filter((row) => of === null || row.kind === of).length;
  return (
    <>
      <div className={styles.tools}>
        <Segments
          label="Documents to list"
          segments={[...DOCUMENT_KINDS, null].map((each) => ({
            label: each === null ? 'All' : KIND_PLURALS[each],
            count: query.data === undefined ? '–' : countOf(each),
            isChosen: kind === each,
            onChoose: () => choose(each),
          }))}
        />
      </div>
      <Answered query={query} failure="The documents could not be loaded." loading={LOADING}>
        {({ documents, canMail }) =>
          listed.length > 0 ? (
            <DocumentsTable rows={listed} canMail={canMail} />
          ) : (
            <NoDocuments isNone={documents.length === 0} />
          )
        }
      </Answered>
    </>
  );
};

const NoDocuments = ({ isNone }: { isNone: boolean }) => {
  const base = `/fleets/${useUsdot()}`;
  return isNone ? (
    <Message title="No documents yet.">
      <p>
        Issue a detention statement from the{' '}
        <Link href={`${base}/proof/billable`} prefetch={false}>
          visits to bill
        </Link>
        , or a position certificate from the page of a <Link href={base}>truck</Link>.
      </p>
    </Message>
  ) : (
    <Message title="No document matches." />
  );
};

/** Not a page of the application, so not one of its router's links. */
const NumberLink = ({ row }: { row: DocumentRow }) => (
  <a className="lh-link" href={`/d/${row.number}`}>
    <b>{row.number}</b>
    {row.revision > 1 ? `, revision ${row.revision}` : ''}
  </a>
);

const seenText = ({ isShownByNumber }: DocumentRow): string =>
  isShownByNumber ? 'Anyone with the number' : 'Your users';

const toColumns = (nowMs: number): Column<DocumentRow>[] => [
  {
    label: 'Document',
    widthPx: [190],
    cell: (row) => (
      <>
        <NumberLink row={row} />
        <span className="lh-note lh-cut">{KIND_LABELS[row.kind]}</span>
      </>
    ),
  },
  { label: 'About', cell: ({ about }) => <span className={styles.about}>{about}</span> },
  {
    label: 'Issued',
    widthPx: [170],
    cell: ({ issuedMs, madeBy }) => (
      <>
        {formatMoment(issuedMs, nowMs)}
        <span className="lh-note lh-cut">{madeBy === 'server' ? 'by the server' : `by ${madeBy}`}</span>
      </>
    ),
  },
  { label: 'Shown to', widthPx: [200], cell: seenText },
];

const toPhoneColumns = (nowMs: number): Column<DocumentRow>[] => [
  {
    label: 'Document, what it is about, and when it was issued',
    cell: (row) => (
      <div className={styles.card}>
        <NumberLink row={row} />
        <span className="lh-cut">{KIND_LABELS[row.kind]}</span>
        <span className={styles.about}>{row.about}</span>
        <span className="lh-note lh-cut">
          {formatMoment(row.issuedMs, nowMs)} · shown to {row.isShownByNumber ? 'anyone' : 'your users'}
        </span>
      </div>
    ),
  },
];

type Task = { kind: 'seen' | 'mail'; row: DocumentRow };

const DocumentsTable = ({ rows, canMail }: { rows: readonly DocumentRow[]; canMail: boolean }) => {
  const isPhone = usePhone();
  const nowMs = useNowMs();
  const [task, setTask] = useState<Task | null>(null);
  const close = (): void => setTask(null);
  return (
    <>
      <WindowTable
        label="Documents"
        className={styles.table}
        columns={isPhone ? toPhoneColumns(nowMs) : toColumns(nowMs)}
        rows={rows}
        keyOf={({ number }) => number}
        rowPx={isPhone ? PHONE_ROW_PX : ROW_PX}
        actions={(row: DocumentRow) => (
          <>
            {canMail ? (
              <Button
                size="xs"
                variant="default"
                aria-label={`Mail document ${row.number}…`}
                onClick={() => setTask({ kind: 'mail', row })}
              >
                Mail…
              </Button>
            ) : null}
            <Button
              size="xs"
              variant="default"
              aria-label={`${row.isShownByNumber ? 'Hide' : 'Show'} document ${row.number}…`}
              onClick={() => setTask({ kind: 'seen', row })}
            >
              {row.isShownByNumber ? 'Hide…' : 'Show…'}
            </Button>
          </>
        )}
      />
      {task?.kind === 'seen' ? <ChangeSeen row={task.row} onClose={close} /> : null}
      {task?.kind === 'mail' ? <MailDocument row={task.row} onClose={close} /> : null}
    </>
  );
};

const ChangeSeen = ({ row, onClose }: { row: DocumentRow; onClose: () => void }) => {
  const { mutateAsync } = useDocumentChange(useUsdot());
  const { number, isShownByNumber } = row;
  return (
    <FormDialog
      title={
        isShownByNumber ? 'Hide it from people without an account?' : 'Show it to anyone with its number?'
      }
      action={isShownByNumber ? 'Hide it' : 'Show it'}
      send={() => mutateAsync({ number, isShownByNumber: !isShownByNumber })}
      onClose={onClose}
    >
      <p>
        {isShownByNumber
          ? `Its number ${number} alone shows nothing then. People who have its PDF or its signed JSON can check these as before.`
          : `Anyone who has the number ${number} can open the document, in all its revisions.`}
      </p>
    </FormDialog>
  );
};

const MailDocument = ({ row: { number, about }, onClose }: { row: DocumentRow; onClose: () => void }) => {
  const usdot = useUsdot();
  return (
    <FormDialog
      title={`Mail document ${number}`}
      action="Send"
      initialValues={{ address: '' }}
      schema={documentMailSchema}
      send={(mail) => mailDocument(usdot, number, mail)}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>{about}. The mail has the PDF, and says how to check it without an account.</p>
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="email"
            data-autofocus
            {...field('address')}
          />
        </>
      )}
    </FormDialog>
  );
};
