import { Box } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { formatWhole } from '@/lib/view/format';
import { Small } from './table';
import styles from './import-parts.module.css';

interface ImportPartsProps<Part extends string> {
  /** In the order in which they are offered. */
  labels: Readonly<Record<Part, string>>;
  countOf: (part: Part) => number;
  /** Rows that are shown of a part at most. */
  mostRows: number;
  children: (part: Part) => ReactNode;
}

/** What an import changes or has changed, and what is wrong with its file: one part at a time. */
export const ImportParts = <Part extends string>(props: ImportPartsProps<Part>) => {
  const { labels, countOf, mostRows, children } = props;
  const parts = (Object.keys(labels) as Part[]).filter((part) => countOf(part) > 0);
  const [wanted, setWanted] = useState<Part | null>(null);
  const chosen = parts.find((part) => part === wanted) ?? parts[0];
  if (chosen === undefined) return null;
  const more = countOf(chosen) - mostRows;
  return (
    <div>
      <div role="group" aria-label="Part of the file" className={styles.parts}>
        {parts.map((part) => (
          <BareButton
            key={part}
            className={styles.part}
            aria-pressed={part === chosen}
            onClick={() => setWanted(part)}
          >
            {labels[part]} <b>{formatWhole(countOf(part))}</b>
          </BareButton>
        ))}
      </div>
      <Box component="section" className={styles.preview} aria-label={labels[chosen]} tabIndex={0}>
        {children(chosen)}
      </Box>
      {more > 0 ? <Small>And {formatWhole(more)} more.</Small> : null}
    </div>
  );
};
