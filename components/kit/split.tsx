import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './split.module.css';

/** A list or a form, and a map beside it; on a phone the map is above. */
export const Split = ({ children }: { children: ReactNode }) => (
  <div className={styles.split}>{children}</div>
);

interface SideProps extends ComponentProps<'section'> {
  /** It scrolls as a whole, rather than a list in it. */
  isScrolled?: boolean;
}

/** What stands beside the map. */
export const Side = ({ isScrolled = false, ...props }: SideProps) => (
  <section className={styles.side} data-scrolled={isScrolled} {...props} />
);

interface PartProps extends ComponentProps<'div'> {
  tone?: 'ground' | 'warn';
}

/** A part of a side, with a line below it. */
export const Part = ({ tone, className = '', ...props }: PartProps) => (
  <div className={`${styles.part} ${className}`} data-tone={tone} {...props} />
);

/** The title of a side, and a button beside it. */
export const SideHead = ({ id, title, children }: { id: string; title: string; children?: ReactNode }) => (
  <Part className={styles.head}>
    <h2 id={id}>{title}</h2>
    {children}
  </Part>
);

/** A part of a side under its own heading. */
export const PartSection = ({ title, children }: { title: ReactNode; children: ReactNode }) => {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id} className="lh-head">
        {title}
      </h2>
      {children}
    </section>
  );
};

interface MapNoteProps {
  role?: 'status' | 'alert';
  /** At the foot of the map, not below its upper edge. */
  isLow?: boolean;
  children: ReactNode;
}

/** A line over the map. */
export const MapNote = ({ role, isLow = false, children }: MapNoteProps) => (
  <p className={styles.note} data-low={isLow} role={role}>
    {children}
  </p>
);
