import { createContext, Suspense, useContext, useMemo, useState, type ReactNode } from 'react';
import { isolated } from '@/lib/view/unit-name';
import { useCarrierAccount, useFreshness, useReading, useUsdot } from '../fleet-state/fleet-context';
import { isUnreadable, useNewerBuild } from '../fleet-state/newer-build';
import { useIsIdle } from '../fleet-state/use-is-idle';
import { onDemand } from '../ui/popup/on-demand';
import type { Notice } from './notice-list';
// The list has it, too, but the HTML loads only the style sheets of the code that is not on demand.
import styles from './notices.module.css';

const noticeList = onDemand(() => import('./notice-list').then(({ NoticeList }) => NoticeList));

const useNotices = (): Notice[] => {
  const usdot = useUsdot();
  const { fleet, failure } = useReading();
  const { state, sentence } = useFreshness();
  const account = useCarrierAccount();
  const newerBuild = useNewerBuild();
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
      text: sentence,
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
  // The code of a first notice is there before the server or the network is lost.
  const isIdle = useIsIdle();
  return open.length > 0 || isIdle ? (
    <Suspense fallback={open.length === 0 ? null : <BareNotices notices={open} />}>
      <noticeList.Part notices={open} onClose={close} />
    </Suspense>
  ) : null;
};

/** The notices without their buttons: the code of those may not come from a server or over a network that is away. */
const BareNotices = ({ notices }: { notices: readonly Notice[] }) => (
  <section className={styles.notices} aria-label="Notices">
    {notices.map(({ key, tone, text }) => (
      <div key={key} className={styles.notice} data-tone={tone}>
        <p>{text}</p>
      </div>
    ))}
  </section>
);
