import { pino } from 'pino';
import { redactSecrets } from '@/lib/base/credential-text';
import type { ServiceLog } from '../log';
import { CommandFailure, type CommandContext } from './command';

/** Rows as columns of text, wide enough for their longest entry; an empty cell shows as a dash. */
export const toTable = (header: string[], rows: (string | number | null)[][]): string[] => {
  const lines = [
    header,
    ...rows.map((row) => row.map((cell) => (cell === null || cell === '' ? '–' : String(cell)))),
  ];
  const widths = header.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]!.length), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
};

/** One value for programs: JSON on one line. */
export const writeJson = (context: CommandContext, value: unknown): void =>
  context.stdout(JSON.stringify(value));

/** "1 vehicle", "2 vehicles", "45,386 vehicles". */
export const toCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** A time for people, to the minute, in UTC. */
export const toMinute = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const LEVELS = ['debug', 'info', 'warn', 'error'];

/**
 * The log of a long-running command on stderr: one JSON object a line, credentials of the service redacted.
 *
 * @throws CommandFailure when LOG_LEVEL is no level.
 */
export const createServiceLog = ({ stderr, env = process.env }: CommandContext): ServiceLog => {
  // An empty variable counts as unset.
  const level = env.LOG_LEVEL?.trim() || 'info';
  if (!LEVELS.includes(level)) {
    throw new CommandFailure(`LOG_LEVEL must be one of ${LEVELS.join(', ')}, not ${JSON.stringify(level)}.`);
  }
  return pino(
    { level, base: null, hooks: { streamWrite: redactSecrets } },
    { write: (line: string) => stderr(line.trimEnd()) },
  );
};
