'use client';

import { carrierWords } from '@/lib/view/carrier-text';
import { isDemoUsdot } from '@/lib/view/demo';
import { useSource, useUsdot } from '../fleet-state/fleet-context';
import styles from './carrier-heading.module.css';
import { useOldCopy } from '../fleet-state/old-copy';
import { useCarrierAccount } from '../fleet-state/use-carrier-account';

/** Whose fleet this is: the account's carrier by name, id and USDOT number. */
export const CarrierHeading = () => {
  const usdot = useUsdot();
  const old = useOldCopy();
  const isDemo = isDemoUsdot(usdot, useSource());
  const { name, numbers } = carrierWords(usdot, useCarrierAccount());
  return (
    <span className={styles.carrier}>
      <span className={styles.name}>
        <span className={styles.text}>{name}</span>
        {old === null ? null : <span className={styles.asOf}>As of {old.at}</span>}
        {isDemo ? <span className={styles.mark}>Demo fleet</span> : null}
      </span>
      <span className={styles.numbers}>{numbers === '' ? ' ' : numbers}</span>
    </span>
  );
};
