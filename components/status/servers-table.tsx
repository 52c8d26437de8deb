import { AdminTable, NameCell, Small } from '@/components/admin/admin-table';
import { Section } from '@/components/admin/admin-page';
import type { ServerStatus, SharingServerStatus } from '@/lib/status/schema';
import { sharingFleetsText, sharingStateText, statedDelayText, type ServerClock } from '@/lib/status/text';
import { formatMoment, formatWhole } from '@/lib/view/format';
import styles from './status.module.css';

const COLUMNS = ['Server', 'State', 'Fleets', 'Lag', 'Redis delay', 'Version', 'Running since'];

/** Enough to tell builds apart; the card of the server has all. */
const BUILD_CHARACTERS = 8;

type Sharing = NonNullable<ServerStatus['sharing']>;

/** The servers that share the fleets. */
export const ServersTable = ({ sharing, clock }: { sharing: Sharing; clock: ServerClock }) => (
  <Section
    title="Servers"
    lead="Each fleet is polled by one server. Lag: how late the newest answer is for the most overdue fleet of a server. Redis delay: how long a message takes to reach it through Redis."
  >
    <AdminTable label="Servers" columns={COLUMNS} hasActions={false}>
      {sharing.servers.map((server) => (
        <ServerRow key={server.id} server={server} sharing={sharing} clock={clock} />
      ))}
    </AdminTable>
  </Section>
);

interface ServerRowProps {
  server: SharingServerStatus;
  sharing: Sharing;
  clock: ServerClock;
}

const ServerRow = ({ server, sharing, clock: { nowMs, skewMs } }: ServerRowProps) => {
  const { report, fleets } = server;
  const { text, isBroken } = sharingStateText(server, sharing);
  const usdots = sharingFleetsText(server);
  return (
    <tr>
      <NameCell name={report?.name ?? server.id}>
        {server.isThis ? <Small>This server</Small> : null}
      </NameCell>
      <td data-head="State" className={styles.short}>
        {isBroken ? <b className={styles.broken}>{text}</b> : text}
      </td>
      <td data-head="Fleets" className={styles.fleets}>
        {formatWhole(fleets)}
        {usdots === null ? null : <Small>{usdots}</Small>}
      </td>
      <td data-head="Lag" className={styles.short}>
        {statedDelayText(server, 'lagMs')}
      </td>
      <td data-head="Redis delay" className={styles.short}>
        {statedDelayText(server, 'echoMs')}
      </td>
      <td data-head="Version" className={styles.short}>
        {report === null ? 'Another version' : report.app}
        {report === null ? null : (
          <Small>
            {report.build === null ? 'in development' : `build ${report.build.slice(0, BUILD_CHARACTERS)}`}
          </Small>
        )}
      </td>
      <td data-head="Running since">
        {report === null ? 'Not known' : formatMoment(nowMs - skewMs - report.uptimeMs, nowMs - skewMs)}
      </td>
    </tr>
  );
};
