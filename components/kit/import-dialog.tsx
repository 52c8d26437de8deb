import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { TableFault } from '@/lib/table-files/fleet-table';
import { UnreadableFileError } from '@/lib/table-files/table';
import { formatCount, formatWhole } from '@/lib/view/format';
import { ProblemNote } from '../ui/problem-note';
import { Dialog } from './dialog';
import { Segments } from './full-page';
import styles from './import-dialog.module.css';
import { Small, Table, type Column } from './table';

interface Counts {
  errors: number;
  added: number;
  changed: number;
  unchanged: number;
}

export const importText = ({ errors, ...counts }: Counts, isImported: boolean): string => {
  if (errors > 0)
    return `${formatCount(errors, 'error')}. Correct the file and choose it again. Nothing is imported until then.`;
  const [added, changed, unchanged] = [counts.added, counts.changed, counts.unchanged].map(formatWhole);
  if (isImported) return `Imported: ${added} added, ${changed} changed, ${unchanged} unchanged.`;
  if (counts.added + counts.changed === 0) return `Nothing to import: ${unchanged} unchanged.`;
  return `Ready to import: ${added} to add, ${changed} to change, ${unchanged} unchanged.`;
};

/** The files of lists that people keep. */
export const TABLE_FILE = {
  label: 'Excel workbook or CSV file',
  accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The plan that is made of the file which is chosen, or why it cannot be made. */
export const useFilePlan = <Plan,>(toPlan: (bytes: Uint8Array) => Promise<Plan>) => {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  return {
    plan,
    refusal,
    forget: (): void => {
      setPlan(null);
      setRefusal(null);
    },
    /** @throws DOMException for a file that was moved, or changed since it was chosen */
    read: async (file: File): Promise<void> => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      try {
        setPlan(await toPlan(bytes));
      } catch (thrown) {
        setRefusal(thrown instanceof UnreadableFileError ? thrown.detail : (thrown as Error).message);
      }
    },
  };
};

interface ImportDialogProps {
  title: string;
  label: string;
  accept: string;
  maxMb: number;
  onChoose: () => void;
  /** @throws for a file that was moved, or changed since it was chosen */
  read: (file: File) => Promise<void>;
  fields?: ReactNode;
  /** The columns that the file may have; shown until there is a preview. */
  help: ReactNode;
  problem: string | null;
  /** The result of the preview or the import, in a sentence; null before. */
  outcome: string | null;
  /** The number of rows that would change, and their name. */
  changes: number;
  noun: string;
  /** The preview has changes and no errors. */
  isReady: boolean;
  isPending: boolean;
  isImported: boolean;
  onImport: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Reads a file, previews what it would change and what is wrong with it, and imports it as a whole. */
export const ImportDialog = (props: ImportDialogProps) => {
  const { maxMb, onChoose, read, outcome, isReady, isPending, isImported, onClose } = props;
  const [refusal, setRefusal] = useState<string | null>(null);
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    onChoose();
    setRefusal(null);
    if (file.size > maxMb * 1024 * 1024) return setRefusal(`The file is larger than ${maxMb} MB.`);
    await read(file).catch(() => setRefusal('Your browser could not read the file. Choose it again.'));
  };
  const problem = refusal ?? props.problem;
  return (
    <Dialog title={props.title} onClose={onClose}>
      <Stack gap={16}>
        <Stack component="label" gap={6} fw={500}>
          {props.label}
          <input
            type="file"
            disabled={isPending && isReady}
            accept={props.accept}
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </Stack>
        {props.fields}
        {outcome === null ? <Small>{props.help}</Small> : null}
        {/* Announced by screen readers. */}
        <div>
          <div role="alert">{problem === null ? null : <ProblemNote>{problem}</ProblemNote>}</div>
          <Text
            component="div"
            role="status"
            fw={600}
            mt={problem !== null && outcome !== null ? 12 : 0}
            inherit
          >
            {outcome}
          </Text>
        </div>
        {props.children}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {isImported ? 'Done' : 'Cancel'}
          </Button>
          {isImported ? null : (
            <Button disabled={!isReady} loading={isPending} onClick={props.onImport}>
              {isReady ? `Import ${formatCount(props.changes, props.noun)}` : 'Import'}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
};

interface ImportPartsProps<Part extends string> {
  /** Their order is that of the choice. */
  labels: Readonly<Record<Part, string>>;
  countOf: (part: Part) => number;
  /** Rows that are shown of a part at most. */
  mostRows: number;
  children: (part: Part) => ReactNode;
}

/** The rows that an import changes or has changed and the faults of its file, one part at a time. */
export const ImportParts = <Part extends string>(props: ImportPartsProps<Part>) => {
  const { labels, countOf, mostRows, children } = props;
  const parts = (Object.keys(labels) as Part[]).filter((part) => countOf(part) > 0);
  const [wanted, setWanted] = useState<Part | null>(null);
  const chosen = parts.find((part) => part === wanted) ?? parts[0];
  if (chosen === undefined) return null;
  const more = countOf(chosen) - mostRows;
  return (
    <div>
      <Segments
        label="Part of the file"
        segments={parts.map((part) => ({
          label: labels[part],
          count: formatWhole(countOf(part)),
          isChosen: part === chosen,
          onChoose: () => setWanted(part),
        }))}
      />
      <Box component="section" className={styles.preview} aria-label={labels[chosen]} tabIndex={0}>
        {children(chosen)}
      </Box>
      {more > 0 ? <Small>And {formatWhole(more)} more.</Small> : null}
    </div>
  );
};

export const LINE_COLUMN: Column<{ line: number }> = { label: 'Line', cell: ({ line }) => line };

export const FAULT_COLUMNS: readonly Column<TableFault>[] = [
  LINE_COLUMN,
  { label: 'Column', className: 'lh-code', cell: ({ column }) => column },
  {
    label: 'What to check',
    isBare: true,
    cell: ({ message }) => message.charAt(0).toUpperCase() + message.slice(1),
  },
];

const PARTS = {
  faults: 'Errors',
  warnings: 'Left out',
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
} as const;

/** More rows than anyone reads. */
const MOST_ROWS = 200;

interface FilePreviewProps<Row> {
  parts: Record<'faults' | 'warnings', readonly TableFault[]> &
    Record<'added' | 'changed' | 'unchanged', readonly Row[]>;
  columns: readonly Column<Row>[];
}

/** What is wrong with the lines of a file, and what it adds and changes. */
export const FilePreview = <Row extends { line: number }>({ parts, columns }: FilePreviewProps<Row>) => (
  <ImportParts labels={PARTS} countOf={(part: keyof typeof PARTS) => parts[part].length} mostRows={MOST_ROWS}>
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
          columns={columns}
          rows={parts[part].slice(0, MOST_ROWS)}
          keyOf={({ line }) => line}
        />
      )
    }
  </ImportParts>
);
