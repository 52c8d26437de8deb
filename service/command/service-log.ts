import { pino } from 'pino';
import type { ServiceLog } from '../log';
import type { CommandContext } from './context';

/** The log of a command that runs for long: one JSON object a line, where a person's eyes are not in the way. */
export const createServiceLog = ({ stderr, env = process.env }: CommandContext): ServiceLog =>
  pino({ level: env.LOG_LEVEL ?? 'info', base: null }, { write: (line: string) => stderr(line.trimEnd()) });
