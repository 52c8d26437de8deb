import { ProblemNote } from '@/components/ui/problem-note';
import styles from '../layout/entry-page.module.css';

/** A warning over plain HTTP from another machine, which does not prevent signing in. */
export const ClearWarning = () => (
  <div className={styles.warning}>
    <ProblemNote role="note">
      This connection is not known to be encrypted. Others on the network could read what you type, and take
      over your session. Ask the person who runs the server for an https:// address.
    </ProblemNote>
  </div>
);
