import { useEffect } from 'react';
import { useIsPrinting } from '@/components/ui/use-is-printing';
import { useNowMs } from '@/components/ui/use-now';
import { formatDayAndTime } from '@/lib/view/format';
import styles from './shell.module.css';

/** US Letter on its side with half an inch of margin, at 96 px an inch, less the head of the first page. */
const PAPER = { widthPx: 960, heightPx: 640 };

/** Fits what is printed as the screen shows it to the paper: it keeps its layout and is drawn smaller, by app/theme.css. */
const fitToPaper = (): void => {
  for (const box of document.querySelectorAll<HTMLElement>('main [data-print="as-shown"]')) {
    const { width, height } = box.getBoundingClientRect();
    box.style.setProperty('--lh-print-width', `${width}px`);
    box.style.setProperty('--lh-print-height', `${height}px`);
    box.style.setProperty(
      '--lh-print-scale',
      String(Math.min(1, PAPER.widthPx / width, PAPER.heightPx / height)),
    );
  }
};

/** Prepares the maps of the page for paper before it is printed. */
const usePrint = (): void =>
  useEffect(() => {
    window.addEventListener('beforeprint', fitToPaper);
    return () => window.removeEventListener('beforeprint', fitToPaper);
  }, []);

interface PrintHeadProps {
  /** Unix ms by the browser's clock to the server's. */
  skewMs?: number;
  /** Further facts about the printed page: the fleet, the filter of its list. */
  facts?: readonly string[];
}

export const PrintHead = (props: PrintHeadProps) => {
  usePrint();
  return useIsPrinting() ? <Head {...props} /> : null;
};

const Head = ({ skewMs = 0, facts = [] }: PrintHeadProps) => {
  const nowMs = useNowMs() + skewMs;
  return (
    <div className={styles.printHead}>
      <b>{document.title}</b>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      <span>Printed {formatDayAndTime(nowMs, nowMs)}</span>
    </div>
  );
};
