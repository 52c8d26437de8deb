import page from '@/components/admin/admin-table.module.css';
import { AdminTable } from '@/components/admin/admin-table';
import { exactWords } from '@/lib/view/clock';
import { actionWords, detailWords } from '@/lib/audit/text';
import type { AuditEntry } from '@/lib/audit/schema';
import styles from './audit-table.module.css';

interface AuditTableProps {
  lines: readonly AuditEntry[];
  /** A moment of the day on which the page was read. */
  nowMs: number;
}

/** Lines of the audit log, as they were given: the newest first. */
export const AuditTable = ({ lines, nowMs }: AuditTableProps) => (
  <AdminTable label="Audit log" columns={['When', 'Who', 'What', 'On', 'From']} hasActions={false}>
    {lines.map((line) => (
      <AuditRow key={line.id} line={line} nowMs={nowMs} />
    ))}
  </AdminTable>
);

const AuditRow = ({ line, nowMs }: { line: AuditEntry; nowMs: number }) => {
  const { atMs, actor, action, subject, address, outcome, details } = line;
  return (
    <tr>
      <td data-head="When" className={styles.when}>
        {exactWords(atMs, nowMs)}
      </td>
      <td data-head="Who">{actor}</td>
      <td data-head="What">
        <span className={page.name}>{actionWords(action)}</span>
        {outcome === 'refused' ? <span className={styles.refused}>Refused</span> : null}
        {detailWords(details, nowMs).map((words) => (
          <span key={words} className={page.small}>
            {words}
          </span>
        ))}
      </td>
      {subject === null ? <td /> : <td data-head="On">{subject}</td>}
      {address === null ? (
        <td />
      ) : (
        <td data-head="From" className={styles.address}>
          {address}
        </td>
      )}
    </tr>
  );
};
