import { IconAlertTriangle, IconRefresh, IconX } from '@tabler/icons-react';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { isolated } from '@/lib/view/unit-name';
import { useTryNow } from '@/lib/live/live';
import { useCarrierAccount, useFreshness, useReading, useUsdot } from '../fleet-state/fleet-context';
import { isUnreadable, useNewerBuild } from '../fleet-state/newer-build';
import { reloadPage } from '../fleet-state/reload';
import styles from './notices.module.css';

interface Notice {
  /** Closing a notice closes this one, not the next of its kind. */
  key: string;
  tone: 'delayed' | 'lost' | 'foreign' | 'news';
  text: string;
  action?: { text: string; onPress: () => void; isBusy?: boolean };
}

/** The button of a notice that ends the server's wait; none where it does not wait. */
const useTryNowAction = (): { action: Notice['action']; refusal: string } => {
  const { mutate, isPending, error, variables } = useTryNow(useUsdot());
  const { fleet, failure, past } = useReading();
  const untilMs = fleet?.feed.nextAttemptAtMs ?? null;
  const waits = past === null && failure === null && untilMs !== null;
  if (!waits) return { action: undefined, refusal: '' };
  return {
    action: { text: 'Try now', onPress: () => mutate(untilMs), isBusy: isPending },
    refusal: error === null || variables !== untilMs ? '' : ` ${error.message}`,
  };
};

const useNotices = (): Notice[] => {
  const usdot = useUsdot();
  const { fleet, failure } = useReading();
  const { state, sentence } = useFreshness();
  const account = useCarrierAccount();
  const newerBuild = useNewerBuild();
  const tryNow = useTryNowAction();
  const notices: Notice[] = [];
  // Before the first answer, the empty page itself gives the reason.
  const hasData = fleet !== null && fleet.feed.fetchedAtMs !== null;
  const isExplained = newerBuild !== null && isUnreadable(failure);
  if (hasData && sentence !== null && !isExplained) {
    const { staleSinceMs, problem, fetchedAtMs } = fleet.feed;
    const sinceMs = failure?.sinceMs ?? staleSinceMs ?? problem?.sinceMs ?? fetchedAtMs;
    notices.push({
      key: `${state} ${sinceMs}`,
      tone: state === 'lost' ? 'lost' : 'delayed',
      text: sentence + tryNow.refusal,
      action: tryNow.action,
    });
  }
  if (account !== null && account.usdot !== usdot) {
    const text = `You are looking at USDOT ${usdot}. This server’s key belongs to ${isolated(account.companyName)}, USDOT ${account.usdot}.`;
    notices.push({ key: `foreign ${account.usdot}`, tone: 'foreign', text });
  }
  if (newerBuild !== null) {
    notices.push({
      key: `build ${newerBuild}`,
      tone: 'news',
      text: 'Linehaul was updated. A reload keeps what you look at.',
      action: { text: 'Reload', onPress: reloadPage },
    });
  }
  return notices;
};

interface Closed {
  keys: readonly string[];
  close: (key: string) => void;
}

const ClosedContext = createContext<Closed>({ keys: [], close: () => undefined });

/** Remembers which notices were closed: on another page they stay so. */
export const NoticesProvider = ({ children }: { children: ReactNode }) => {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const closed = useMemo(
    () => ({ keys, close: (key: string) => setKeys((before) => [...before, key]) }),
    [keys],
  );
  return <ClosedContext value={closed}>{children}</ClosedContext>;
};

/** Notices about the whole screen. Each page puts them where they cover nothing. */
export const Notices = () => {
  const notices = useNotices();
  const { keys: closed, close } = useContext(ClosedContext);
  const open = notices.filter(({ key }) => !closed.includes(key));
  if (open.length === 0) return null;
  return (
    <section className={styles.notices} aria-label="Notices">
      {open.map(({ key, tone, text, action }) => (
        <div key={key} className={styles.notice} data-tone={tone} data-action={action !== undefined}>
          {tone === 'news' ? (
            <IconRefresh size={18} stroke={2} aria-hidden="true" />
          ) : (
            <IconAlertTriangle size={18} stroke={2} aria-hidden="true" />
          )}
          <p>{text}</p>
          {action === undefined ? null : (
            <button type="button" className="lh-action" disabled={action.isBusy} onClick={action.onPress}>
              {action.text}
            </button>
          )}
          <BareButton
            className={`lh-icon ${styles.close}`}
            aria-label="Close notice"
            onClick={() => close(key)}
          >
            <IconX size={16} stroke={2} aria-hidden="true" />
          </BareButton>
        </div>
      ))}
    </section>
  );
};
