import { Group, Text } from '@mantine/core';
import { Link } from '@/components/ui/link';
import page from '@/components/kit/page-frame.module.css';
import type { FeedStatus } from '@/lib/status/schema';
import {
  heldMailFacts,
  holdingText,
  judgeFeed,
  recordingFacts,
  salvageText,
  spanText,
  type PollIntervals,
  type ServerClock,
  type Tone,
} from '@/lib/status/text';
import { formatAge, formatCount } from '@/lib/view/format';
import styles from './status.module.css';

interface FeedCardProps {
  feed: FeedStatus;
  clock: ServerClock;
  intervals: PollIntervals;
  /** Age of the last update in this browser. */
  pageAgeMs: number;
  /** Known for a fleet of one of the server's accounts. */
  companyName: string | null;
  /** The server no longer answers, so the status may have changed. */
  isStale: boolean;
}

export const FeedCard = ({ feed, clock, intervals, pageAgeMs, companyName, isStale }: FeedCardProps) => {
  const { tone, head, sentence } = judgeFeed(feed, { ...clock, ...intervals }, isStale);
  const holding = holdingText(feed);
  const ago = (atMs: number | null): string =>
    atMs === null ? 'none yet' : `${formatAge(clock.nowMs - atMs)} ago`;
  const name = companyName ?? `USDOT ${feed.usdot}`;
  const facts = [
    ['Newest truck position', ago(feed.newestFixAtMs)],
    ['Last answer from the provider', ago(feed.fetchedAtMs)],
    ['Last update in this browser', `${formatAge(pageAgeMs)} ago`],
    ['Trucks in the last answer', holding.units],
    ['Roster', holding.roster],
    ...recordingFacts(feed, clock),
    ...heldMailFacts(feed, clock),
    ['Open on', formatCount(feed.viewers, 'screen')],
  ];
  return (
    <article className={`${page.card} ${styles.tone}`} data-tone={tone} aria-label={name}>
      <Group component="header" gap="8px 12px" align="start">
        <ToneSign tone={tone} />
        <div className={styles.what}>
          <h3 className={page.head}>
            {name}{' '}
            {companyName === null ? null : (
              <Text span c="dimmed" fz={13}>
                USDOT {feed.usdot}
              </Text>
            )}
          </h3>
          <p>
            <b className={styles.state}>{head}.</b> {sentence}
          </p>
        </div>
        <Link href={`/fleets/${feed.usdot}`} prefetch={false} className={styles.open}>
          Open map<span className="visually-hidden"> of {name}</span>
        </Link>
      </Group>
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div key={term} className={styles.fact}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Salvage salvage={feed.salvage} />
      <Problems feed={feed} clock={clock} />
    </article>
  );
};

const Salvage = ({ salvage }: Pick<FeedStatus, 'salvage'>) => {
  if (salvage === null) return null;
  const repairs = salvageText(salvage);
  if (repairs === null)
    return (
      <Text c="dimmed" inherit>
        The last answer was complete: no record was dropped and no field repaired.
      </Text>
    );
  return (
    <details>
      <summary className={styles.summaryLine}>
        In the last answer: <b>{repairs}</b>
      </summary>
      <Text c="dimmed" inherit maw={640} mt={4}>
        Linehaul reads each record on its own, so a bad record never hides a good truck. It drops a record
        without a vehicle and a position, corrects values in a wrong format, and ignores values that cannot be
        true. {salvage.examples.length > 0 ? 'The first examples:' : null}
      </Text>
      <ul className={`lh-list lh-code ${styles.code}`}>
        {salvage.examples.map((example, index) => (
          <li key={index}>{example}</li>
        ))}
      </ul>
    </details>
  );
};

const Problems = ({ feed, clock }: { feed: FeedStatus; clock: ServerClock }) => {
  const { problems } = feed;
  const isPolled = feed.isWatched || feed.recording !== null;
  if (problems.length === 0)
    return (
      <Text c="dimmed" inherit>
        No problems since the server started.
      </Text>
    );
  return (
    <>
      <h4 className="lh-head">Last problems</h4>
      <ol className={`lh-list ${styles.problems}`}>
        {problems.map((problem) => (
          <li key={problem.sinceMs} data-open={isPolled && problem.untilMs === null}>
            <p>
              <b>{problem.message}</b>
              <Text span c="dimmed" inherit>
                {spanText(problem, clock, isPolled)} · {formatCount(problem.times, 'poll')}
              </Text>
            </p>
            <details>
              <Text component="summary" className={styles.summaryLine} c="dimmed" fz={13}>
                Technical details<span className="visually-hidden">: {problem.message}</span>
              </Text>
              <code className={`${styles.code} lh-code`}>{problem.detail}</code>
            </details>
          </li>
        ))}
      </ol>
    </>
  );
};

const SIGNS: Record<Tone, string> = { good: '✓', warn: '!', bad: '✕', rest: '–' };

/** A judgment by shape as well as color, beside its text; the parent sets the tone. */
export const ToneSign = ({ tone }: { tone: Tone }) => (
  <span className={styles.sign} aria-hidden="true">
    {SIGNS[tone]}
  </span>
);
