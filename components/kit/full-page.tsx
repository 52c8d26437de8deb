import { Button, Skeleton } from '@mantine/core';
import { Link, type LinkProps } from '@/components/ui/link';
import type { ReactNode } from 'react';
import { BareButton } from '../ui/bare-button';
import { PageDialogs } from './page-dialog';
import styles from './full-page.module.css';

interface FullPageProps {
  notices: ReactNode;
  /** It scrolls as a whole, rather than in parts. */
  isScrolled?: boolean;
  children: ReactNode;
}

export const FullPage = ({ notices, isScrolled = false, children }: FullPageProps) => (
  <PageDialogs>
    <div className={styles.page} data-scrolled={isScrolled}>
      <div className={styles.notices}>{notices}</div>
      {children}
    </div>
  </PageDialogs>
);

interface PageHeadProps {
  back?: ReactNode;
  title: ReactNode;
  about?: ReactNode;
  children?: ReactNode;
}

export const PageHead = ({ back, title, about, children }: PageHeadProps) => (
  <header className={styles.head}>
    <div className={styles.names}>
      {back}
      <h1 className={`lh-flex ${styles.title}`}>{title}</h1>
      {about}
    </div>
    {children}
  </header>
);

export const HeadActions = ({ children }: { children: ReactNode }) => (
  <div className={`lh-flex ${styles.actions}`}>{children}</div>
);

interface Tab {
  label: string;
  link: Pick<LinkProps, 'href' | 'prefetch' | 'onNavigate'>;
  isHere: boolean;
  preload?: (() => void) | undefined;
}

/** Tabs that do not fit scroll sideways on a phone on its side. */
const bringIntoView = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map(({ label: text, link, isHere, preload }) => (
      <Link
        key={text}
        {...link}
        aria-current={isHere ? 'page' : undefined}
        ref={isHere ? bringIntoView : undefined}
        onPointerEnter={preload}
        onFocus={preload}
      >
        {text}
      </Link>
    ))}
  </nav>
);

interface Segment {
  label: string;
  count?: string | number;
  title?: string;
  isChosen: boolean;
  onChoose: () => void;
}

/** Choices beside each other, as for what a list shows. */
export const Segments = ({ label, segments }: { label: string; segments: readonly Segment[] }) => (
  <div role="group" aria-label={label} className={styles.segments}>
    {segments.map(({ label: text, count, title, isChosen, onChoose }) => (
      <BareButton
        key={text}
        className={styles.segment}
        aria-pressed={isChosen}
        title={title}
        onClick={onChoose}
      >
        {text} {count === undefined ? null : <b>{count}</b>}
      </BareButton>
    ))}
  </div>
);

interface MessageProps {
  title: string;
  role?: 'status' | 'alert';
  children?: ReactNode;
}

/** A message in place of a page's content: why there is nothing to show, and what leads on. */
export const Message = ({ title, role = 'status', children }: MessageProps) => (
  <div className={styles.message} role={role}>
    <b>{title}</b>
    {children}
  </div>
);

interface Loading {
  isFetching: boolean;
  refetch: () => unknown;
}

/** The failure of a request, and a button that sends it again. */
export const Failure = ({
  title,
  text,
  query: { isFetching, refetch },
}: {
  title: string;
  text: string;
  query: Loading;
}) => (
  <Message title={title} role="alert">
    <p>{text}</p>
    <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
      Try again
    </Button>
  </Message>
);

interface AnsweredProps<Data> {
  query: Loading & { data: Data | undefined; error: Error | null; failureReason: Error | null };
  failure: string;
  textOf?: (error: Error) => string;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The data of a query; until it is there, lines that stand for it, or at once why it is not, also during the retries. */
export const Answered = <Data,>(props: AnsweredProps<Data>) => {
  const { query, failure, textOf = ({ message }: Error) => message, loading, children } = props;
  if (query.data !== undefined) return children(query.data);
  const error = query.error ?? query.failureReason;
  if (error === null) return loading ?? <LoadingLines />;
  return <Failure title={failure} text={textOf(error)} query={query} />;
};

interface LoadingLinesProps {
  label?: string;
  count?: number;
  heightPx?: number;
}

/** Lines that stand for a list which is not there yet. */
export const LoadingLines = ({ label = 'Loading…', count = 12, heightPx = 13 }: LoadingLinesProps) => (
  <div className={styles.loading} aria-busy="true">
    <p className="visually-hidden" role="status">
      {label}
    </p>
    {Array.from({ length: count }, (_, line) => (
      <Skeleton key={line} height={heightPx} width={`${94 - ((line * 23) % 40)}%`} />
    ))}
  </div>
);
