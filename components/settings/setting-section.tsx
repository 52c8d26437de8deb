import { useId } from 'react';
import type { ReactNode } from 'react';
import { Breakable } from '@/components/ui/breakable';
import page from '@/components/admin/admin-page.module.css';
import { useNowMs } from '@/components/ui/use-now';
import { momentWords } from '@/lib/view/clock';
import type { SettingsAnswer } from '@/lib/settings/schema';
import styles from './settings-page.module.css';

interface SettingSectionProps {
  title: string;
  lead: ReactNode;
  /** The last change of any of it; undefined where none is possible. */
  changed?: SettingsAnswer['flagsChanged'];
  children: ReactNode;
}

/** Settings that belong together: what they are for, who changed them last, and the settings. */
export const SettingSection = ({ title, lead, changed = null, children }: SettingSectionProps) => {
  const id = useId();
  const nowMs = useNowMs();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={page.head}>
        {title}
      </h2>
      <p className={page.lead}>{lead}</p>
      {children}
      {changed === null ? null : (
        <p className={styles.changed}>
          Last changed by <Breakable text={changed.by} />, {momentWords(changed.atMs, nowMs)}.
        </p>
      )}
    </section>
  );
};
