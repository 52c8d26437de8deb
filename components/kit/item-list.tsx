import type { ReactNode } from 'react';
import styles from './item-list.module.css';

interface ItemProps {
  title: string;
  about: ReactNode;
  /** What is done with it. */
  children?: ReactNode;
}

/** Items of a dialog or a card, each with its buttons; on a phone these are below. */
export const ItemList = ({ children }: { children: ReactNode }) => (
  <ul className={`lh-list ${styles.items}`}>{children}</ul>
);

export const Item = ({ title, about, children }: ItemProps) => (
  <li>
    <div className={styles.text}>
      <b>{title}</b>
      <p className="lh-note">{about}</p>
    </div>
    {children}
  </li>
);
