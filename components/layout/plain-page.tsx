import type { ReactNode } from 'react';
import { Brand } from './brand';
import styles from './plain-page.module.css';

interface CardPageProps {
  head: string;
  children: ReactNode;
  /** A card with a form is narrower, and on a phone the whole screen. */
  isForm?: boolean;
  /** Within the frame of a fleet's pages, which contains the document's main element. */
  isFramed?: boolean;
}

/** A page of one centered card, with our name on it unless the frame has it. */
export const CardPage = ({ head, children, isForm = false, isFramed = false }: CardPageProps) => {
  const Page = isFramed ? 'div' : 'main';
  return (
    <Page className={styles.page} data-form={isForm} data-framed={isFramed}>
      <div className={styles.card}>
        {isFramed ? null : (
          <div className="lh-brand">
            <Brand />
          </div>
        )}
        <h1 className={styles.head}>{head}</h1>
        {children}
      </div>
    </Page>
  );
};

interface PlainPageProps {
  head: string;
  children: ReactNode;
  /** Replaces the link. */
  actions?: ReactNode;
  link?: { href: string; label: string };
  isFramed?: boolean;
}

const FLEET_LINK = { href: '/', label: 'Open the fleet map' };

/** A page with one message: what is wrong with an address, or what prevents the application from working. */
export const PlainPage = ({ head, children, actions, link = FLEET_LINK, isFramed }: PlainPageProps) => (
  <CardPage head={head} isFramed={isFramed}>
    <div className={styles.text}>{children}</div>
    <div className={styles.actions}>
      {actions ?? (
        // Not Next.js's: each page of messages would bring its code into every first load.
        <a href={link.href} className={styles.button}>
          {link.label}
        </a>
      )}
    </div>
  </CardPage>
);

export const PlainButton = (props: { onClick: () => void; children: string }) => (
  <button type="button" className={styles.button} {...props} />
);
