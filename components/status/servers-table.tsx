import { Table, type Column } from '@/components/kit/table';
import { Section } from '@/components/kit/page-frame';
import type { ServerStatus, SharingServerStatus } from '@/lib/status/schema';
import { sharingFleetsText, sharingStateText, statedDelayText } from '@/lib/status/sharing-text';
import type { ServerClock } from '@/lib/status/text';
import { formatMoment, formatWhole } from '@/lib/view/format';
import styles from './status.module.css';

/** Enough to tell builds apart; the card of the server has all. */
const BUILD_CHARACTERS = 8;

type Sharing = NonNullable<ServerStatus['sharing']>;

/** The servers that share the fleets. */
export const ServersTable = ({ sharing, clock }: { sharing: Sharing; clock: ServerClock }) => (
  <Section
    title="Servers"
    lead="Each fleet is polled by one server. Lag: how late the newest answer is for the most overdue fleet of a server. Redis delay: how long a message takes to reach it through Redis."
  >
    <Table
      label="Servers"
      columns={toColumns(sharing, clock)}
      rows={sharing.servers}
      keyOf={({ id }) => id}
    />
  </Section>
);

const buildText = (build: string | null): string =>
  build === null ? 'in development' : `build ${build.slice(0, BUILD_CHARACTERS)}`;

const toColumns = (sharing: Sharing, { nowMs, skewMs }: ServerClock): Column<SharingServerStatus>[] => [
  {
    label: 'Server',
    name: ({ id, report }) => report?.name ?? id,
    small: ({ isThis }) => (isThis ? 'This server' : null),
  },
  {
    label: 'State',
    className: styles.short,
    cell: (server) => {
      const { text, isBroken } = sharingStateText(server, sharing);
      return isBroken ? <b className={styles.broken}>{text}</b> : text;
    },
  },
  {
    label: 'Fleets',
    className: styles.fleets,
    cell: ({ fleets }) => formatWhole(fleets),
    small: sharingFleetsText,
  },
  { label: 'Lag', className: styles.short, cell: (server) => statedDelayText(server, 'lagMs') },
  { label: 'Redis delay', className: styles.short, cell: (server) => statedDelayText(server, 'echoMs') },
  {
    label: 'Version',
    className: styles.short,
    cell: ({ report }) => report?.app ?? 'Another version',
    small: ({ report }) => report && buildText(report.build),
  },
  {
    label: 'Running since',
    cell: ({ report }) =>
      report === null ? 'Not known' : formatMoment(nowMs - skewMs - report.uptimeMs, nowMs - skewMs),
  },
];
