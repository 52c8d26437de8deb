import { toHistoryFolder } from '@/lib/base/process/environment';
import { BackupError, type RowCounts } from '../store/backup/script';
import { restoreBackupFile, writeBackupFile } from '../store/backup/file';
import { parseArguments, CommandFailure, type Command, type CommandContext, toCount, print } from './command';

const toCounts = (counts: RowCounts): string => {
  const count = (table: string) => counts.get(`tracking.${table}`) ?? 0;
  return [
    toCount(count('carriers'), 'carrier'),
    toCount(count('vehicles'), 'vehicle'),
    toCount(count('fixes'), 'fix', 'fixes'),
    toCount(count('api_keys') + count('ingest_tokens'), 'credential'),
  ].join(', ');
};

const asCommandFailure = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new CommandFailure(error.message, { cause: error });
  }
};

const OPTIONS = { json: 'flag', history: 'text' } as const;

const toFolder = ({ env }: CommandContext): string => toHistoryFolder(env ?? process.env);

/** How many files of the archive were copied or left out, as the end of a sentence. */
const toArchive = (files: number, isCopied: boolean): string => {
  if (files === 0) return '';
  const count = toCount(files, 'file');
  return isCopied ? `, ${count} of the history` : `; without ${count} of the history, which --history copies`;
};

export const backupCommand: Command = {
  summary: 'Write all that is kept to a file, accounts of the web application included',
  usage: ['backup FILE [--history FOLDER] [--json]'],
  details: [
    'The file is one moment of the database, which others may go on using. It is an SQL script, compressed by gzip, and',
    'holds what it holds in the clear: positions, and hashes of keys, tokens and passwords, never these themselves.',
    '  --history FOLDER   copies the archive of the history to this folder, except what is there already',
    '  --json             the rows of each table on one line',
  ],
  run: async (argv, context) => {
    const { options, args } = parseArguments(argv, OPTIONS, ['The file to write']);
    const path = args[0]!;
    const history = options.history === undefined ? null : { from: toFolder(context), to: options.history };
    const { counts, bytes, files } = await asCommandFailure(() =>
      writeBackupFile(context.databaseUrl, path, { history, signal: context.signal }),
    );
    const size = (bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0);
    const archive = toArchive(files, history !== null);
    const done = `Backed up to ${path} (${size} MB): ${toCounts(counts)}${archive}.`;
    print(context, options.json, Object.fromEntries(counts), done);
  },
};

export const restoreCommand: Command = {
  summary: 'Fill an empty database from a backup',
  usage: ['restore FILE [--history FOLDER] [--json]'],
  details: [
    'All of the file is restored or nothing of it. It is a program in SQL: restore only what you backed up yourself.',
    '  --history FOLDER   copies the archive of the history back from this folder',
    '  --json             the rows of each table on one line',
  ],
  run: async (argv, context) => {
    const { options, args } = parseArguments(argv, OPTIONS, ['The file to read']);
    const path = args[0]!;
    const history = options.history === undefined ? null : { from: options.history, to: toFolder(context) };
    const { counts, files } = await asCommandFailure(() =>
      restoreBackupFile(context.databaseUrl, path, { history, signal: context.signal }),
    );
    const archive = toArchive(files, history !== null);
    const done = `Restored from ${path}: ${toCounts(counts)}${archive}.`;
    print(context, options.json, Object.fromEntries(counts), done);
  },
};
