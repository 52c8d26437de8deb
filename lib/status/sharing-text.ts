import type { ServerStatus, SharingServerStatus } from './schema';
import { formatAge, formatCount, formatWhole } from '../view/format';

/** A server beats once a second; its fleets are another's after this time without a heartbeat. */
const SILENT_MS = 4000;
/** More USDOT numbers than this would hide the other columns. */
const MOST_NAMED = 8;

type Sharing = NonNullable<ServerStatus['sharing']>;

const isSilent = ({ silentMs }: SharingServerStatus): boolean => silentMs >= SILENT_MS;

/** Whether a server shares in the work now, as text; `isBroken`: someone should look at it. */
export const sharingStateText = (
  server: SharingServerStatus,
  { redisAwayMs }: Pick<Sharing, 'redisAwayMs'>,
): { text: string; isBroken: boolean } => {
  if (server.isThis)
    return redisAwayMs === null
      ? { text: 'Connected', isBroken: false }
      : { text: `No Redis for ${formatAge(redisAwayMs)}`, isBroken: true };
  // Without Redis this server learns nothing of the others.
  if (redisAwayMs !== null) return { text: `As of ${formatAge(server.silentMs)} ago`, isBroken: false };
  return isSilent(server)
    ? { text: `No heartbeat for ${formatAge(server.silentMs)}`, isBroken: true }
    : { text: 'Connected', isBroken: false };
};

/** Why the servers need a look, in a sentence; null if they do not. */
export const sharingProblemText = ({ redisAwayMs, servers }: Sharing): string | null => {
  if (redisAwayMs !== null)
    return `This server cannot reach Redis: other servers poll its fleets, and it shows their last versions from before.`;
  const silent = servers.filter(isSilent).length;
  if (silent === 0) return null;
  const are = silent === 1 ? 'gives' : 'give';
  return `${silent} of ${formatCount(servers.length, 'server')} ${are} no heartbeat: the others poll its fleets.`;
};

/** The name of the server that answers, where several share the fleets. */
export const ownNameText = ({ servers }: Sharing): string | null =>
  servers.find(({ isThis }) => isThis)?.report?.name ?? null;

/** The fleets of a server that the viewer may see, the first by their USDOT numbers; null where there are none. */
export const sharingFleetsText = ({ usdots }: SharingServerStatus): string | null => {
  if (usdots.length === 0) return null;
  const rest = usdots.length - MOST_NAMED;
  const named = usdots.slice(0, MOST_NAMED).join(', ');
  return rest > 0 ? `USDOT ${named} and ${formatWhole(rest)} more` : `USDOT ${named}`;
};

/** A delay that a server stated, which says nothing once that is old. */
export const statedDelayText = (server: SharingServerStatus, delay: 'lagMs' | 'echoMs'): string => {
  const ms = server.report?.[delay] ?? null;
  return ms === null || isSilent(server) ? 'Not known' : delayText(ms);
};

/** A short time with a digit below ten seconds: "3 ms", "0.4 s", "12 s". */
const delayText = (ms: number): string => {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : formatAge(ms);
};
