import { IconAlertTriangle, IconRefresh, IconX } from '@tabler/icons-react';
import { BareButton } from '@/components/ui/bare-button';
import { useTryNow } from '@/lib/live/try-now';
import { useReading, useUsdot } from '../fleet-state/fleet-context';
import styles from './notices.module.css';

export interface Notice {
  /** Closing a notice closes this one, not the next of its kind. */
  key: string;
  tone: 'delayed' | 'lost' | 'foreign' | 'news';
  text: string;
}

interface Action {
  text: string;
  onPress: () => void;
  isBusy?: boolean;
  /** Why it failed. */
  refusal?: string;
}

/** The button that ends the server's wait; none where it does not wait. */
const useTryNowAction = (): Action | undefined => {
  const { mutate, isPending, error, variables } = useTryNow(useUsdot());
  const { fleet, failure, past } = useReading();
  const untilMs = fleet?.feed.nextAttemptAtMs ?? null;
  const waits = past === null && failure === null && untilMs !== null;
  if (!waits) return undefined;
  return {
    text: 'Try now',
    onPress: () => mutate(untilMs),
    isBusy: isPending,
    refusal: error === null || variables !== untilMs ? undefined : error.message,
  };
};

interface NoticeListProps {
  notices: readonly Notice[];
  onClose: (key: string) => void;
}

export const NoticeList = ({ notices, onClose }: NoticeListProps) => {
  const tryNow = useTryNowAction();
  const actions: Record<Notice['tone'], Action | undefined> = {
    delayed: tryNow,
    lost: tryNow,
    foreign: undefined,
    news: { text: 'Reload', onPress: () => window.location.reload() },
  };
  if (notices.length === 0) return null;
  return (
    <section className={styles.notices} aria-label="Notices">
      {notices.map(({ key, tone, text }) => {
        const action = actions[tone];
        return (
          <div key={key} className={styles.notice} data-tone={tone} data-action={action !== undefined}>
            {tone === 'news' ? (
              <IconRefresh size={18} stroke={2} aria-hidden="true" />
            ) : (
              <IconAlertTriangle size={18} stroke={2} aria-hidden="true" />
            )}
            <p>
              {text} {action?.refusal}
            </p>
            {action === undefined ? null : (
              <button type="button" className="lh-action" disabled={action.isBusy} onClick={action.onPress}>
                {action.text}
              </button>
            )}
            <BareButton
              className={`lh-icon ${styles.close}`}
              aria-label="Close notice"
              onClick={() => onClose(key)}
            >
              <IconX size={16} stroke={2} aria-hidden="true" />
            </BareButton>
          </div>
        );
      })}
    </section>
  );
};
