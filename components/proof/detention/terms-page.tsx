'use client';

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { Answered, FullPage, HeadActions, LoadingLines, Message, PageHead } from '@/components/kit/full-page';
import { IconButton } from '@/components/kit/page-frame';
import { Table, type Column } from '@/components/kit/table';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { useAnnounce } from '@/components/ui/announcer';
import { useLoads } from '@/lib/loads/queries';
import type { ListedTerms } from '@/lib/proof/detention';
import { useTerms, useTermsChange } from '@/lib/proof/detention-queries';
import { minutesText, moneyText } from '@/lib/proof/detention-text';
import { useFleetSites } from '@/lib/sites/queries';
import styles from './detention.module.css';
import { ProofLinks } from './proof-links';
import { TermsForm, type TermsSubject } from '@/components/statements/terms-form';

/** In which they win. */
const ORDER = ['load', 'site', 'customer', 'fleet'] as const;

const KIND_TEXTS = { fleet: 'All stays', customer: 'Customer', site: 'Site', load: 'Load' } as const;

const labelOf = ({ of, name }: ListedTerms): string =>
  of === 'fleet' ? 'All stays without other terms' : name;

/** The terms of detention of a fleet. */
export const TermsPage = () => (
  <FullPage notices={<Notices />} isScrolled>
    <Listed />
  </FullPage>
);

const COLUMNS: readonly Column<ListedTerms>[] = [
  {
    label: 'For',
    cell: (row) => (
      <>
        <b>{labelOf(row)}</b>
        {row.of === 'fleet' ? null : <span className={styles.note}>{KIND_TEXTS[row.of]}</span>}
      </>
    ),
  },
  {
    label: 'Free time',
    cell: ({ freeMin, countedFrom }) => (
      <>
        {minutesText(freeMin)}
        <span className={styles.note}>
          {countedFrom === 'appointment' ? 'from the later of arrival and appointment' : 'from the arrival'}
        </span>
      </>
    ),
  },
  { label: 'Rate an hour', kind: 'number', cell: ({ rateCents }) => moneyText(rateCents) },
  { label: 'In steps of', kind: 'number', cell: ({ stepMin }) => `${stepMin} min` },
  {
    label: 'At most',
    kind: 'number',
    cell: ({ capCents }) =>
      capCents === null ? <span className="lh-dim">no cap</span> : moneyText(capCents),
  },
];

type Open = { kind: 'add' } | { kind: 'change' | 'remove'; row: ListedTerms };

const Listed = () => {
  const usdot = useUsdot();
  const query = useTerms(usdot);
  const mayChange = useSeesAllUnits();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <PageHead title="Terms of detention" about={<ProofLinks here="terms" />}>
        {mayChange ? (
          <HeadActions>
            <IconButton Icon={IconPlus} variant="filled" onClick={() => setOpen({ kind: 'add' })}>
              Add terms…
            </IconButton>
          </HeadActions>
        ) : null}
      </PageHead>
      <Answered
        query={query}
        failure="The terms could not be loaded."
        loading={<LoadingLines label="Loading the terms…" />}
      >
        {(terms) =>
          terms.length === 0 ? (
            <Message title="No terms yet.">
              <p>Add what was agreed: free time, rate and cap, for all stays or for one customer or site.</p>
            </Message>
          ) : (
            <TermsTable terms={terms} onOpen={mayChange ? setOpen : null} />
          )
        }
      </Answered>
      {open?.kind === 'add' ? <AddTerms onClose={close} /> : null}
      {open?.kind === 'change' ? <ChangeTerms row={open.row} onClose={close} /> : null}
      {open?.kind === 'remove' ? <RemoveTerms row={open.row} onClose={close} /> : null}
    </>
  );
};

interface TermsTableProps {
  terms: readonly ListedTerms[];
  /** Null: the viewer may not change them. */
  onOpen: ((open: Open) => void) | null;
}

const TermsTable = ({ terms, onOpen }: TermsTableProps) => (
  <div className={styles.page}>
    <p>
      The most specific terms win: those of a load, then of a site, then of a customer. Free time that a stop
      has itself wins over all. Statements that were issued stay as they are.
    </p>
    <Table
      label="Terms"
      columns={COLUMNS}
      rows={[...terms].sort((a, b) => ORDER.indexOf(a.of) - ORDER.indexOf(b.of))}
      keyOf={({ of, customer, siteId, loadId }) => `${of} ${customer ?? siteId ?? loadId}`}
      {...(onOpen !== null && {
        actions: (row: ListedTerms) => (
          <div className={styles.actions}>
            <Button
              size="xs"
              variant="default"
              aria-label={`Change the terms: ${labelOf(row)}`}
              onClick={() => onOpen({ kind: 'change', row })}
            >
              Change…
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={`Remove the terms: ${labelOf(row)}`}
              onClick={() => onOpen({ kind: 'remove', row })}
            >
              Remove…
            </Button>
          </div>
        ),
      })}
    />
  </div>
);

const NONE = { customer: null, siteId: null, loadId: null };

const AddTerms = ({ onClose }: { onClose: () => void }) => {
  const usdot = useUsdot();
  const announce = useAnnounce();
  const sites = useFleetSites(usdot, true).data;
  const loads = useLoads(usdot).data?.loads;
  if (sites === undefined || loads === undefined)
    return (
      <Dialog title="Add terms" onClose={onClose}>
        <LoadingLines label="Loading customers and sites…" />
      </Dialog>
    );
  const customers = [...new Set(loads.map(({ customer }) => customer.trim()).filter((name) => name !== ''))];
  const subjects: TermsSubject[] = [
    { ...NONE, of: 'fleet', label: 'All stays without other terms' },
    ...customers
      .sort()
      .map((customer) => ({ ...NONE, of: 'customer' as const, customer, label: `Customer ${customer}` })),
    ...sites.map(({ id, name }) => ({ ...NONE, of: 'site' as const, siteId: id, label: `Site ${name}` })),
  ];
  return (
    <Dialog title="Add terms" onClose={onClose}>
      <TermsForm
        subjects={subjects}
        terms={null}
        onSaved={() => {
          announce('Terms saved');
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
};

interface RowProps {
  row: ListedTerms;
  onClose: () => void;
}

const toSubject = (row: ListedTerms): TermsSubject => {
  const { of, customer, siteId, loadId } = row;
  return { of, customer, siteId, loadId, label: labelOf(row) };
};

const ChangeTerms = ({ row, onClose }: RowProps) => {
  const announce = useAnnounce();
  return (
    <Dialog title={`Terms: ${labelOf(row)}`} onClose={onClose}>
      <TermsForm
        subjects={[toSubject(row)]}
        terms={row}
        onSaved={() => {
          announce('Terms saved');
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
};

const RemoveTerms = ({ row, onClose }: RowProps) => {
  const { mutateAsync } = useTermsChange(useUsdot());
  const { label: _label, ...about } = toSubject(row);
  return (
    <FormDialog
      title={`Remove the terms: ${labelOf(row)}?`}
      action="Remove terms"
      isDangerous
      send={() => mutateAsync({ ...about, terms: null })}
      onClose={onClose}
    >
      Stays there are billed by less specific terms, if there are any. Statements that were issued stay as
      they are.
    </FormDialog>
  );
};
