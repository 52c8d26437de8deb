import { ContactLine } from '../contacts/contact-line';
import { BareButton } from '../ui/bare-button';
import { useContactOf } from '@/lib/contacts/queries';
import { useNewestAlerts, useWaitingList } from '@/lib/alerts/queries';
import type { AlertPage } from '@/lib/alerts/answers';
import type { Alert } from '@/lib/rules/alert-rule';
import { alertText } from '@/lib/alerts/text';
import { Link } from '../ui/link';
import { useUsdot } from '../fleet-state/fleet-context';
import styles from './alert-bell.module.css';
import { toUnitLink } from './alert-links';
import { SeverityIcon } from './severity-icon';
import { isWaiting } from './text';
import { listWaiting, totalOf } from './waiting';
import { useAge, useMoment } from './use-moment';

const SHOWN = 8;

interface BellCardProps {
  onClose: () => void;
  /** Opens the choice of sound, notifications and messages. */
  onHearing: () => void;
}

/** The open alerts that need someone, the most severe first, and the latest others; each a link to its unit on the map. */
export const BellCard = ({ onClose, onHearing }: BellCardProps) => {
  const usdot = useUsdot();
  const { data, error, failureReason } = useNewestAlerts(usdot);
  const waiting = useWaitingList(usdot).data;
  return (
    <>
      <div className={styles.cardHead}>
        <h2>Alerts</h2>
        {data === undefined ? null : (
          <span>
            {listWaiting(data.waiting)
              .map(({ text }) => text)
              .join(', ')}
          </span>
        )}
      </div>
      {data === undefined || waiting === undefined ? (
        <p className={styles.nothing} role="status">
          {(error ?? failureReason)?.message ?? 'Loading the alerts…'}
        </p>
      ) : (
        <Lists page={data} waiting={waiting.alerts} onClose={onClose} />
      )}
      <div className={styles.cardFoot}>
        <Link href={`/fleets/${usdot}/alerts`} onNavigate={onClose}>
          All alerts and rules
        </Link>
        <BareButton onClick={onHearing}>Alert notifications</BareButton>
      </div>
    </>
  );
};

interface ListsProps extends Pick<BellCardProps, 'onClose'> {
  page: AlertPage;
  waiting: readonly Alert[];
}

const Lists = ({ page, waiting, onClose }: ListsProps) => {
  const contactOf = useContactOf(useUsdot());
  const shown = waiting.slice(0, SHOWN);
  const more = totalOf(page.waiting) - shown.length;
  const others = page.alerts.filter((alert) => !isWaiting(alert)).slice(0, SHOWN - shown.length);
  const toLines = (alerts: readonly Alert[]) => (
    <ul className="lh-list">
      {alerts.map((alert) => (
        <li key={alert.id}>
          <AlertLink alert={alert} isWaiting={isWaiting(alert)} onClose={onClose} />
          {alert.closedMs === null ? (
            <div className={styles.contact}>
              <ContactLine contact={contactOf(alert.unit)} most={1} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
  if (shown.length + others.length === 0) return <p className={styles.nothing}>No alerts so far.</p>;
  return (
    <>
      {shown.length === 0 ? <p className={styles.nothing}>No open alert needs anyone.</p> : toLines(shown)}
      {more > 0 ? <p className={styles.nothing}>And {more} more.</p> : null}
      {others.length === 0 ? null : (
        <>
          <h3 className={`lh-head ${styles.head}`}>Taken or closed</h3>
          {toLines(others)}
        </>
      )}
    </>
  );
};

interface AlertLinkProps {
  alert: Alert;
  isWaiting: boolean;
  onClose: () => void;
}

const AlertLink = ({ alert, isWaiting, onClose }: AlertLinkProps) => {
  const moment = useMoment();
  const age = useAge();
  const { onNavigate, ...link } = toUnitLink(useUsdot(), alert);
  return (
    <Link
      {...link}
      className={`lh-row ${styles.alert}`}
      data-waiting={isWaiting}
      onNavigate={(event) => {
        onNavigate(event);
        onClose();
      }}
    >
      <SeverityIcon severity={alert.severity} />
      <span>
        {alertText(alert, moment)}
        <span className={`lh-small ${styles.small}`}>
          {[alert.ruleName, alert.closedMs === null ? null : 'closed', alert.acknowledgedBy]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className={styles.age}>{age(alert.openedMs)}</span>
    </Link>
  );
};
