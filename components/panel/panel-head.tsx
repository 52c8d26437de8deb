import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { PANEL_HEADING_ID } from './panel-heading';
import styles from './unit-panel.module.css';

interface PanelHeadProps {
  glyph?: ReactNode;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** The head of the side panel: its heading, the button that closes it, and what stands below them. */
export const PanelHead = ({ glyph, title, onClose, children }: PanelHeadProps) => (
  <div className={styles.head} data-missing={glyph === undefined}>
    {glyph}
    <h2 id={PANEL_HEADING_ID} className={`${styles.title} lh-cut`} tabIndex={-1}>
      {title}
    </h2>
    <BareButton className={`lh-icon ${styles.close}`} aria-label="Close panel" onClick={onClose}>
      <IconX size={20} stroke={1.75} aria-hidden="true" />
    </BareButton>
    {children}
  </div>
);
