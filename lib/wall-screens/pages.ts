/** A page of a list is shown for this long, ms. */
const PAGE_MS = 10_000;

/** The rows of a list that are shown now: from the index `from` to before `to`. */
export interface ShownRows {
  from: number;
  to: number;
}

/** The page of a list at a moment (Unix ms): each of its rows has its turn, and the last page is full too. */
export const findPage = (rows: number, lines: number, atMs: number): ShownRows => {
  const pages = Math.max(1, Math.ceil(rows / Math.max(1, lines)));
  const page = Math.floor(atMs / PAGE_MS) % pages;
  const from = Math.max(0, Math.min(page * lines, rows - lines));
  return { from, to: Math.min(rows, from + lines) };
};

/** How many of a screen's lines alerts and trucks get: each what it needs, and where that is too much, half. */
export const shareLines = (
  lines: number,
  alerts: number,
  trucks: number,
): { alerts: number; trucks: number } => {
  const ofAlerts = Math.min(alerts, Math.max(Math.ceil(lines / 2), lines - trucks));
  return { alerts: ofAlerts, trucks: Math.max(0, lines - ofAlerts) };
};
