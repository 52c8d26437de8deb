import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));
const GIB = 2 ** 30;

/** One figure with what it is held against. */
export interface Figure {
  what: string;
  measured: string;
  /** In words, such as "at most 250 KB"; empty where there is no target. */
  target: string;
  /** Whether the target is met; null where there is none. */
  isMet: boolean | null;
}

/** A part of a report: a heading, a table, and what has to be known to read it. */
export interface Section {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  notes?: readonly string[];
}

/** A figure held against an upper bound, both in the same unit. */
export const atMost = (what: string, value: number, bound: number, unit: string, digits = 1): Figure => ({
  what,
  measured: `${value.toFixed(digits)} ${unit}`,
  target: `at most ${bound} ${unit}`,
  isMet: value <= bound,
});

/** A figure held against a lower bound, both in the same unit. */
export const atLeast = (what: string, value: number, bound: number, unit: string, digits = 1): Figure => ({
  what,
  measured: `${value.toFixed(digits)} ${unit}`,
  target: `at least ${bound} ${unit}`,
  isMet: value >= bound,
});

const toVerdict = ({ isMet }: Figure): string => (isMet === null ? '' : isMet ? 'met' : '**missed**');

/** Figures as a section, with whether each target is met. */
export const toSection = (title: string, figures: readonly Figure[], notes: string[] = []): Section => ({
  title,
  columns: ['what', 'measured', 'target', ''],
  rows: figures.map((figure) => [figure.what, figure.measured, figure.target, toVerdict(figure)]),
  notes,
});

const toTable = ({ columns, rows }: Section): string => {
  const lines = [columns, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = columns.map((_, c) => Math.max(3, ...lines.map((cells) => cells[c]!.length)));
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, c) => cell.padEnd(widths[c]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [toLine(lines[0]!), rule, ...lines.slice(1).map(toLine)].join('\n');
};

const describeMachine = (): string => {
  const [cpu] = cpus();
  const memoryGib = Math.round(totalmem() / GIB);
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${memoryGib} GiB, Node.js ${process.versions.node}`;
};

/** The report as Markdown: what it is about, when and where it was measured, and its sections. */
export const toMarkdown = (
  title: string,
  about: string,
  sections: readonly Section[],
  atMs: number,
): string => {
  const parts = sections.map((section) => {
    const notes = (section.notes ?? []).map((note) => `\n\n${note}`).join('');
    return `## ${section.title}\n\n${toTable(section)}${notes}`;
  });
  const day = new Date(atMs).toISOString().slice(0, 10);
  return `${[`# ${title}`, about, `Measured ${day} on ${describeMachine()}.`, ...parts].join('\n\n')}\n`;
};

/** Prints a report and, if it is to be kept, writes bench/results/NAME.md. */
export const publishReport = (name: string, markdown: string, { isKept }: { isKept: boolean }): void => {
  process.stdout.write(`${markdown}\n`);
  if (!isKept) return;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}${name}.md`, markdown);
};
