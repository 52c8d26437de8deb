import { Button } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import type { ReactNode } from 'react';
import { useNowMs } from '@/components/ui/use-now';
import { useDismiss, useProgress } from '@/lib/getting-started/queries';
import type { Progress } from '@/lib/getting-started/schema';
import { formatAge, formatCount } from '@/lib/view/format';
import styles from './checklist.module.css';

interface Step {
  title: string;
  isDone: boolean;
  /** How it is done, or its result. */
  text: ReactNode;
}

const listSteps = (progress: Progress, nowMs: number): Step[] => {
  const { vehicles, hasToken, connectedAtMs, reportedAtMs, colleagues, isEncrypted } = progress;
  return [
    {
      title: 'Add your vehicles',
      isDone: vehicles > 0,
      text:
        vehicles > 0 ? (
          `${formatCount(vehicles, 'vehicle')} added`
        ) : (
          <>
            On the <Link href="/devices">Devices</Link> page: one by one, or from a CSV or Excel file.
          </>
        ),
    },
    {
      title: 'Connect a device',
      isDone: connectedAtMs !== null,
      text:
        connectedAtMs !== null ? (
          `It reached this server ${formatAge(Math.max(0, nowMs - connectedAtMs))} ago`
        ) : hasToken ? (
          'The code is made. This line changes once the phone or tracker reaches this server.'
        ) : (
          <>
            On <Link href="/devices">Devices</Link>, press “Connect a phone” and scan the QR code.
          </>
        ),
    },
    {
      title: 'See the first position arrive',
      isDone: reportedAtMs !== null,
      text:
        reportedAtMs === null
          ? 'Waiting for a position. This line changes by itself.'
          : `Last position ${formatAge(Math.max(0, nowMs - reportedAtMs))} ago`,
    },
    {
      title: 'Invite a colleague',
      isDone: colleagues > 0,
      text:
        colleagues > 0 ? (
          `${formatCount(colleagues, 'colleague')} invited`
        ) : (
          <>
            On the <Link href="/users">Users</Link> page. They get a link to choose a password.
          </>
        ),
    },
    {
      title: 'Give this server an internet address',
      isDone: isEncrypted,
      text: isEncrypted
        ? 'Browsers and phones reach it by https.'
        : 'On the road, phones need an address that begins with https://. The person who set up this server finds the way in docs/deployment.md, step 3.',
    },
  ];
};

/** The steps that a carrier with own trucks still has to take, above the list until they are done or dismissed. */
export const Checklist = () => {
  const { data } = useProgress();
  const nowMs = useNowMs();
  const { mutate: dismiss, isPending, error } = useDismiss();
  if (data?.isShown !== true) return null;
  const steps = listSteps(data, nowMs);
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <details className={styles.card} open>
      <summary className={styles.head}>
        Get started
        {/* Announced when a step is done; the ages in the steps change every second. */}
        <span className={`lh-note ${styles.count}`} aria-live="polite">
          {steps.filter(({ isDone }) => isDone).length} of {steps.length} done
        </span>
      </summary>
      <ol className={`lh-list ${styles.steps}`}>
        {steps.map(({ title, isDone, text }, index) => (
          <li
            key={title}
            className={`lh-note ${styles.step}`}
            data-state={isDone ? 'done' : index === next ? 'next' : 'later'}
          >
            {isDone ? (
              <IconCircleCheckFilled size={20} aria-label="Done" />
            ) : (
              <IconCircle size={20} stroke={1.75} aria-label="To do" />
            )}
            <div>
              <div className={styles.title}>{title}</div>
              <div>{text}</div>
            </div>
          </li>
        ))}
      </ol>
      <Button variant="subtle" size="compact-sm" ml={36} mb={8} loading={isPending} onClick={() => dismiss()}>
        Hide this list
      </Button>
      {error === null ? null : <p role="alert">{error.message}</p>}
    </details>
  );
};
