import desk from '@/components/desk/desk-page.module.css';
import { exactWords } from '@/lib/view/clock';
import { actionWords, detailWords } from '@/lib/view/audit-words';
import type { AuditEntry } from '@/lib/wire/audit';
import styles from './audit-table.module.css';

interface AuditTableProps {
  lines: readonly AuditEntry[];
  /** A moment of the day on which the page was read. */
  nowMs: number;
}

/** Lines of the audit log, as they were given: the newest first. */
export const AuditTable = ({ lines, nowMs }: AuditTableProps) => (
  <div className={desk.scroller}>
    <table className={`${desk.table} ${styles.table}`} aria-label="Audit log">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">On</th>
          <th scope="col">From</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <AuditRow key={line.id} line={line} nowMs={nowMs} />
        ))}
      </tbody>
    </table>
  </div>
);

const AuditRow = ({ line, nowMs }: { line: AuditEntry; nowMs: number }) => {
  const { atMs, actor, action, subject, address, outcome, details } = line;
  return (
    <tr>
      <td className={styles.when}>{exactWords(atMs, nowMs)}</td>
      <td>{actor}</td>
      <td>
        <b>{actionWords(action)}</b>
        {outcome === 'refused' ? <span className={styles.refused}>Refused</span> : null}
        {detailWords(details).map((words) => (
          <span key={words} className={desk.small}>
            {words}
          </span>
        ))}
      </td>
      <td>{subject}</td>
      <td className={styles.address}>{address}</td>
    </tr>
  );
};
