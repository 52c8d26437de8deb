import { IconCheck, IconCopy, IconMessage, IconPhone } from '@tabler/icons-react';
import { BareButton } from './bare-button';
import { useCopy } from './use-copy';
import { formatPhone, toCallLink, toTextLink } from '@/lib/identity/phone';
import styles from './phone-number.module.css';

interface PhoneNumberProps {
  /** As `parsePhone` returns it. */
  phone: string;
  /** Whose number it is: "Ann Lee", "the dispatcher". */
  who: string;
  /** The number is about to be called. */
  onCall?: () => void;
}

/** A phone number: on a touch screen links that call and write to it, elsewhere a button that copies it. */
export const PhoneNumber = ({ phone, who, onCall }: PhoneNumberProps) => {
  const shown = formatPhone(phone);
  const textLink = toTextLink(phone);
  const { outcome, copy } = useCopy(`Number of ${who}`);
  const Icon = outcome === 'Copied' ? IconCheck : IconCopy;
  return (
    <span className={styles.number}>
      <a
        className={styles.call}
        href={toCallLink(phone)}
        aria-label={`Call ${who}, ${shown}`}
        onClick={onCall}
      >
        <IconPhone size={16} stroke={1.75} aria-hidden="true" />
        {shown}
      </a>
      {textLink === null ? null : (
        <a className={`lh-icon ${styles.text}`} href={textLink} aria-label={`Text ${who}`}>
          <IconMessage size={18} stroke={1.75} aria-hidden="true" />
        </a>
      )}
      <BareButton
        className={styles.copy}
        aria-label={`Copy the number of ${who}, ${shown}`}
        title={outcome ?? 'Copy this number'}
        onClick={() => {
          onCall?.();
          void copy(shown);
        }}
      >
        {shown}
        <Icon size={15} stroke={1.75} aria-hidden="true" />
      </BareButton>
    </span>
  );
};
