import type { ReactNode } from 'react';
import styles from './problem-note.module.css';

interface ProblemNoteProps {
  /** None where what is around it reads it out. */
  role?: 'alert' | 'note';
  children: ReactNode;
}

/** What is wrong with what was typed or pressed, or what one should know before. */
export const ProblemNote = ({ role, children }: ProblemNoteProps) => (
  <p className={styles.note} role={role}>
    {children}
  </p>
);
