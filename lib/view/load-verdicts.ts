/** The verdict of a load on the board, the worst first: `done` once it has ended, `none` while no appointment is to be kept. */
export const BOARD_VERDICTS = ['atRisk', 'late', 'unknown', 'onTime', 'none', 'done'] as const;
export type BoardVerdict = (typeof BOARD_VERDICTS)[number];

export const VERDICT_LABELS: Readonly<Record<BoardVerdict, string>> = {
  atRisk: 'At risk',
  late: 'Late',
  unknown: 'Unknown',
  onTime: 'On time',
  none: 'No appt.',
  done: 'Done',
};

/** A load as the truck that has it, or had it at a moment in the past, is marked with it. */
export interface UnitLoad {
  id: number;
  /** Key of the truck that has it. */
  unit: string;
  /** Load, PO and BOL number; the first is its name. */
  references: readonly string[];
  /** Null: of a moment in the past, for which there is none. */
  verdict: BoardVerdict | null;
  /** The verdict, or in the past what it did then, in words. */
  label: string;
}
