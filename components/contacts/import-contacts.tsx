import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import {
  FilePreview,
  ImportDialog,
  LINE_COLUMN,
  TABLE_FILE,
  importText,
  useFilePlan,
} from '@/components/kit/import-dialog';
import type { Column } from '@/components/kit/table';
import { CONTACT_COLUMNS } from '@/lib/table-files/contact-columns';
import { listUnits } from '@/lib/table-files/fleet-table';
import { planContacts, type PlannedContact } from '@/lib/contacts/contact-table';
import { useImportContacts } from '@/lib/contacts/changes';
import { useContacts } from '@/lib/contacts/queries';
import { readContactFile } from '@/lib/contacts/read-file';

const MAX_MB = 8;

const HELP = `The first line names the columns: vin or truck_number, and any of ${Object.values(CONTACT_COLUMNS).join(', ')}. An empty cell clears what is there, a column that the file does not have leaves it. “Save as CSV” on this page makes a file to fill in. Nothing is imported before you confirm.`;

interface ImportContactsProps {
  /** VINs of the fleet's roster, also of trucks that do not report. */
  vins: readonly string[];
  onClose: () => void;
}

/** Imports whom to call about each truck from a file, wherever the trucks come from. */
export const ImportContacts = ({ vins, onClose }: ImportContactsProps) => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const known = useContacts(usdot).data?.contacts ?? [];
  const { mutate, isPending, isSuccess, error, reset } = useImportContacts(usdot);
  const { plan, refusal, forget, read } = useFilePlan(async (bytes) =>
    planContacts(await readContactFile(bytes), listUnits(fleet?.identities ?? [], vins), known),
  );
  const rowsOf = (kind: PlannedContact['kind']) => plan?.planned.filter((each) => each.kind === kind) ?? [];
  const [added, changed, unchanged] = [rowsOf('added'), rowsOf('changed'), rowsOf('unchanged')];
  const changes = [...added, ...changed];
  const errors = plan?.faults.length ?? 0;
  return (
    <ImportDialog
      title="Import contacts"
      {...TABLE_FILE}
      maxMb={MAX_MB}
      onChoose={() => {
        forget();
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
        <FilePreview
          parts={{ faults: plan.faults, warnings: plan.warnings, added, changed, unchanged }}
          columns={CONTACT_TABLE}
        />
      )}
    </ImportDialog>
  );
};

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
