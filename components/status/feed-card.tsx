import Link from 'next/link';
import type { ReactNode } from 'react';
import { ageWords, countWords } from '@/lib/view/numbers';
import { holdingWords, judgeFeed, salvageWords, spanWords } from '@/lib/status/text';
import type { ServerClock } from '@/lib/status/text';
import type { FeedStatus } from '@/lib/status/schema';
import styles from './feed-card.module.css';
import { ToneSign } from './tone-sign';

interface FeedCardProps {
  feed: FeedStatus;
  clock: ServerClock;
  pollIntervalMs: number;
  /** How old the server's word to this page is. */
  pageAgeMs: number;
  /** Where the fleet is that of the server's own account. */
  companyName: string | null;
  /** The server does not answer any more: nothing of this may be taken for how it is now. */
  isOld: boolean;
}

/** One fleet's feed: its state in words, its three ages, what was salvaged, and its last problems. */
export const FeedCard = ({ feed, clock, pollIntervalMs, pageAgeMs, companyName, isOld }: FeedCardProps) => {
  const { tone, head, sentence } = judgeFeed(feed, { ...clock, pollIntervalMs }, isOld);
  const holding = holdingWords(feed);
  const ago = (atMs: number | null): string =>
    atMs === null ? 'none yet' : `${ageWords(clock.nowMs - atMs)} ago`;
  const name = companyName ?? `USDOT ${feed.usdot}`;
  return (
    <article className={styles.card} data-tone={tone} aria-label={name}>
      <header className={styles.head}>
        <ToneSign tone={tone} />
        <div className={styles.what}>
          <h3 className={styles.name}>
            {name}
            {companyName === null ? null : <span className={styles.usdot}>USDOT {feed.usdot}</span>}
          </h3>
          <p>
            <b className={styles.state}>{head}.</b> {sentence}
          </p>
        </div>
        <Link href={`/fleets/${feed.usdot}`} prefetch={false} className={styles.open}>
          Open map<span className="lh-unseen"> of {name}</span>
        </Link>
      </header>
      <dl className={styles.facts}>
        <Fact name="Newest fix of a truck">{ago(feed.newestFixAtMs)}</Fact>
        <Fact name="Last answer from the provider">{ago(feed.fetchedAtMs)}</Fact>
        <Fact name="Last update in this browser">{ageWords(pageAgeMs)} ago</Fact>
        <Fact name="Units in that answer">{holding.units}</Fact>
        <Fact name="Roster">{holding.roster}</Fact>
        <Fact name="Open on">{countWords(feed.viewers, 'screen')}</Fact>
      </dl>
      <Salvage salvage={feed.salvage} />
      <Problems feed={feed} clock={clock} />
    </article>
  );
};

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Salvage = ({ salvage }: Pick<FeedStatus, 'salvage'>) => {
  const words = salvageWords(salvage);
  if (salvage === null) return null;
  if (words === null)
    return (
      <p className={styles.quiet}>
        The last answer was complete: no record was dropped and no field repaired.
      </p>
    );
  return (
    <details className={styles.fold}>
      <summary>
        In the answer that is shown: <b>{words}</b>
      </summary>
      <p className={styles.why}>
        Each record is read for itself. One that names no vehicle and has no place is left out; what can be
        read although it is written wrongly is read, and a value that makes no sense is taken for none. No
        sound unit is lost to a bad one. {salvage.examples.length > 0 ? 'The first cases:' : null}
      </p>
      <ul className={styles.examples}>
        {salvage.examples.map((example, index) => (
          <li key={index} className="lh-code">
            {example}
          </li>
        ))}
      </ul>
    </details>
  );
};

const Problems = ({ feed: { problems, isWatched }, clock }: { feed: FeedStatus; clock: ServerClock }) => {
  if (problems.length === 0) return <p className={styles.quiet}>No problem since the server started.</p>;
  return (
    <>
      <h4 className="lh-head">Last problems</h4>
      <ol className={styles.problems}>
        {problems.map((problem) => (
          <li key={problem.sinceMs} data-open={isWatched && problem.untilMs === null}>
            <p>
              <b>{problem.message}</b>
              <span className={styles.span}>
                {spanWords(problem, clock, isWatched)} · {countWords(problem.times, 'poll')}
              </span>
            </p>
            <details className={styles.detail}>
              <summary>
                For an engineer<span className="lh-unseen">: {problem.message}</span>
              </summary>
              <code className="lh-code">{problem.detail}</code>
            </details>
          </li>
        ))}
      </ol>
    </>
  );
};
