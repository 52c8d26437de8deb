import { ProblemNote } from '@/components/ui/problem-note';
import styles from '../layout/entry-page.module.css';

/** Over plain HTTP from another machine: nobody is kept from signing in, and nobody does so unaware. */
export const ClearWarning = () => (
  <div className={styles.warning}>
    <ProblemNote role="note">
      This connection is not known to be encrypted. Others on the network could read what you type, and take
      over your session. Ask whoever runs the server for an https:// address.
    </ProblemNote>
  </div>
);
