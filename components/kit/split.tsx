import { Button, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { SMALL_BUTTON } from '../ui/mantine-theme';
import { useRowWindow } from '../ui/use-row-window';
import styles from './split.module.css';

interface SplitProps {
  /** On a phone the map is below the rest rather than above it. */
  isMapLast?: boolean;
  children: ReactNode;
}

/** A list or a form, and a map beside it; on a phone they are one page that scrolls. */
export const Split = ({ isMapLast = false, children }: SplitProps) => (
  <div className={styles.split} data-split={isMapLast ? 'map last' : ''}>
    {children}
  </div>
);

interface SideProps extends ComponentProps<'section'> {
  /** It scrolls as a whole, rather than a list in it. */
  isScrolled?: boolean;
}

export const Side = ({ isScrolled = false, ...props }: SideProps) => (
  <section className={styles.side} data-scrolled={isScrolled} {...props} />
);

interface PartProps extends ComponentProps<'div'> {
  tone?: 'ground' | 'warn';
}

export const Part = ({ tone, className = '', ...props }: PartProps) => (
  <div className={`${styles.part} ${className}`} data-tone={tone} {...props} />
);

export const SideHead = ({ id, title, children }: { id: string; title: string; children?: ReactNode }) => (
  <Part className={styles.head}>
    <h2 id={id}>{title}</h2>
    {children}
  </Part>
);

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

export const MapNote = ({ role, isLow = false, children }: MapNoteProps) => (
  <p className={styles.note} data-low={isLow} role={role}>
    {children}
  </p>
);

/** Rows beyond those in view, so that scrolling shows no gap. */
const OVERSCAN = 8;

interface WindowListProps<Row> {
  label: string;
  rows: readonly Row[];
  rowPx: number;
  keyOf: (row: Row, index: number) => string | number;
  /** The class of the list in place of one that fills the room and scrolls. */
  className?: string | undefined;
  itemOf?: (row: Row) => ComponentProps<'li'>;
  children: (row: Row, index: number) => ReactNode;
}

/** A list with rows of one height: only those in view are in the page, and all are on paper. */
export const WindowList = <Row,>(props: WindowListProps<Row>) => {
  const { label, rows, rowPx, keyOf, className = `lh-scroll ${styles.list}`, itemOf, children } = props;
  const { scroller, indexes, abovePx, belowPx } = useRowWindow(rows.length, rowPx, OVERSCAN);
  return (
    <div ref={scroller} className={className} role="region" aria-label={label} tabIndex={0}>
      <ul className="lh-list" style={{ paddingTop: abovePx, paddingBottom: belowPx }}>
        {indexes.map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <li
              key={keyOf(row, index)}
              style={{ height: rowPx }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              {...itemOf?.(row)}
            >
              {children(row, index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
};

interface DrawToolsProps<Tool extends string> {
  tools: readonly { tool: Tool; label: string; Icon: Icon }[];
  tool: Tool | null;
  labelOf?: (label: string) => string;
  onTool: (tool: Tool | null) => void;
  children?: ReactNode;
}

/** Buttons of the shapes that can be drawn on a map; the one in use is put away by its button. */
export const DrawTools = <Tool extends string>(props: DrawToolsProps<Tool>) => {
  const { tools, tool, labelOf = (label) => label, onTool, children } = props;
  return (
    <Group gap={8} role="group" aria-label="Draw on the map">
      {tools.map(({ tool: each, label, Icon: Sign }) => (
        <Button
          key={each}
          {...SMALL_BUTTON}
          variant={tool === each ? 'filled' : 'default'}
          leftSection={<Sign size={17} stroke={1.8} aria-hidden="true" />}
          aria-pressed={tool === each}
          onClick={() => onTool(tool === each ? null : each)}
        >
          {labelOf(label)}
        </Button>
      ))}
      {children}
    </Group>
  );
};
