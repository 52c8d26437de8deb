import { pino } from 'pino';
import { redactSecrets } from '../../log';
import type { ServiceLog } from '../../log';
import { CommandFailure } from '../context';
import type { CommandContext } from '../context';

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
