import { useState } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { ImportDialog, ImportParts, importText } from '@/components/kit/import-dialog';
import { Table, type Column } from '@/components/kit/table';
import { CONTACT_COLUMNS } from '@/lib/table-files/contact-columns';
import { UnreadableFileError } from '@/lib/table-files/table';
import {
  planContacts,
  type ContactPlan,
  type PlannedContact,
  type TableFault,
} from '@/lib/contacts/contact-table';
import { useImportContacts } from '@/lib/contacts/changes';
import { useContacts } from '@/lib/contacts/queries';
import { readContactFile } from '@/lib/contacts/read-file';
import type { UnitIdentity } from '@/lib/wire/fleet';

const MAX_MB = 8;
const MOST_ROWS = 200;

const HELP = `The first line names the columns: vin or truck_number, and any of ${Object.values(CONTACT_COLUMNS).join(', ')}. An empty cell clears what is there, a column that the file does not have leaves it. “Save as CSV” on this page makes a file to fill in. Nothing is imported before you confirm.`;

const PARTS = {
  faults: 'Errors',
  warnings: 'Left out',
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
} as const;
type Part = keyof typeof PARTS;

interface ImportContactsProps {
  /** VINs of the fleet's roster, also of trucks that do not report. */
  vins: readonly string[];
  onClose: () => void;
}

type Unit = Pick<UnitIdentity, 'key' | 'vin' | 'truckNumber'>;

/** The trucks that a file may name: those that report, and the others of the roster. */
const listUnits = (identities: readonly (UnitIdentity | null)[], vins: readonly string[]): Unit[] => {
  const reporting = identities.filter((identity) => identity !== null);
  const known = new Set(reporting.map(({ vin }) => vin));
  const others = vins.filter((vin) => !known.has(vin));
  return [...reporting, ...others.map((vin) => ({ key: vin, vin, truckNumber: null }))];
};

/** Imports whom to call about each truck from a file, wherever the trucks come from. */
export const ImportContacts = ({ vins, onClose }: ImportContactsProps) => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const known = useContacts(usdot).data?.contacts ?? [];
  const { mutate, isPending, isSuccess, error, reset } = useImportContacts(usdot);
  const [plan, setPlan] = useState<ContactPlan | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const rowsOf = (kind: PlannedContact['kind']) => plan?.planned.filter((each) => each.kind === kind) ?? [];
  const [added, changed, unchanged] = [rowsOf('added'), rowsOf('changed'), rowsOf('unchanged')];
  const changes = [...added, ...changed];
  const errors = plan?.faults.length ?? 0;
  const read = async (file: File): Promise<void> => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    try {
      setPlan(planContacts(await readContactFile(bytes), listUnits(fleet?.identities ?? [], vins), known));
    } catch (thrown) {
      if (!(thrown instanceof UnreadableFileError)) throw thrown;
      setRefusal(thrown.detail);
    }
  };
  return (
    <ImportDialog
      title="Import contacts"
      label="Excel workbook or CSV file"
      accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
      maxMb={MAX_MB}
      onChoose={() => {
        setPlan(null);
        setRefusal(null);
        reset();
      }}
      read={read}
      help={HELP}
      problem={refusal ?? error?.message ?? null}
      outcome={
        plan === null
          ? null
          : importText(
              { errors, added: added.length, changed: changed.length, unchanged: unchanged.length },
              isSuccess,
            )
      }
      changes={changes.length}
      noun="truck"
      isReady={!isSuccess && errors === 0 && changes.length > 0}
      isPending={isPending}
      isImported={isSuccess}
      onImport={() => mutate(changes.map(({ contact }) => contact))}
      onClose={onClose}
    >
      {plan === null ? null : (
        <Preview parts={{ faults: plan.faults, warnings: plan.warnings, added, changed, unchanged }} />
      )}
    </ImportDialog>
  );
};

interface PreviewProps {
  parts: Record<'faults' | 'warnings', TableFault[]> &
    Record<'added' | 'changed' | 'unchanged', PlannedContact[]>;
}

const Preview = ({ parts }: PreviewProps) => (
  <ImportParts labels={PARTS} countOf={(part: Part) => parts[part].length} mostRows={MOST_ROWS}>
    {(part) =>
      part === 'faults' || part === 'warnings' ? (
        <Table
          label={PARTS[part]}
          columns={FAULT_COLUMNS}
          rows={parts[part].slice(0, MOST_ROWS)}
          keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
        />
      ) : (
        <Table
          label={PARTS[part]}
          columns={CONTACT_TABLE}
          rows={parts[part].slice(0, MOST_ROWS)}
          keyOf={({ line }) => line}
        />
      )
    }
  </ImportParts>
);

const LINE_COLUMN: Column<{ line: number }> = { label: 'Line', cell: ({ line }) => line };

const FAULT_COLUMNS: Column<TableFault>[] = [
  LINE_COLUMN,
  { label: 'Column', className: 'lh-code', cell: ({ column }) => column },
  {
    label: 'What to check',
    isBare: true,
    cell: ({ message }) => message.charAt(0).toUpperCase() + message.slice(1),
  },
];

const CONTACT_TABLE: Column<PlannedContact>[] = [
  { label: 'Truck', name: ({ name }) => name },
  {
    label: 'Change',
    cell: ({ changes }) =>
      changes.length === 0
        ? 'None'
        : changes.map(({ column, before, after }) => (
            <div key={column}>
              <span className="lh-dim">{column.replaceAll('_', ' ')}:</span> {before ?? 'empty'} →{' '}
              <b>{after ?? 'empty'}</b>
            </div>
          )),
  },
  LINE_COLUMN,
];
