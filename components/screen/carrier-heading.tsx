'use client';

import { isDemoUsdot } from '@/lib/view/demo';
import { useReading, useSource, useUsdot } from './fleet-context';
import styles from './carrier-heading.module.css';

/** Whose fleet this is: the account's carrier by name, id and USDOT number. */
export const CarrierHeading = () => {
  const usdot = useUsdot();
  const isDemo = isDemoUsdot(usdot, useSource());
  const account = useReading().fleet?.account ?? null;
  const isOwn = account?.usdot === usdot;
  return (
    <div className={styles.carrier}>
      <div className={styles.name}>
        <span className={styles.text}>{isOwn ? account.companyName : `USDOT ${usdot}`}</span>
        {isDemo ? <span className={styles.mark}>Demo fleet</span> : null}
      </div>
      <div className={styles.numbers}>
        {isOwn
          ? `USDOT ${usdot} · ID ${account.companyId}`
          : account
            ? `seen with the key of ${account.companyName}`
            : ' '}
      </div>
    </div>
  );
};
