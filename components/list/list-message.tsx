import type { ReactNode } from 'react';
import styles from './list-pane.module.css';

interface ListMessageProps {
  head: string;
  children: ReactNode;
  action?: { label: string; onPress: () => void };
}

/** Why there is no list, in its place, and what can be done about it. */
export const ListMessage = ({ head, children, action }: ListMessageProps) => (
  <div className={styles.message}>
    <h2>{head}</h2>
    {children}
    {action ? (
      <button type="button" className="lh-action" onClick={action.onPress}>
        {action.label}
      </button>
    ) : null}
  </div>
);
