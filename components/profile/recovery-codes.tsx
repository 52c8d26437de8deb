import { SecretLine } from '@/components/ui/secret-line';
import styles from './profile-page.module.css';

/** Recovery codes, shown this once. */
export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <div className={styles.codes}>
    <p>
      <b>Keep these recovery codes where your phone is not.</b> Each signs you in once when you have no phone.
      They are not shown again.
    </p>
    <SecretLine label="Recovery codes" text={codes.join('\n')} />
  </div>
);
