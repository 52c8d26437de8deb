/** A part of a document as page and PDF show it. Texts are ready to be read: with units, and times with their zone. */
export type Block =
  | { type: 'heading'; text: string }
  | { type: 'facts'; facts: Fact[] }
  | { type: 'table'; caption: string; columns: string[]; rows: string[][] }
  | MapBlock
  | { type: 'text'; text: string };

export interface Fact {
  label: string;
  value: string;
  /** What limits the value, in smaller letters. */
  note?: string;
}

/** Degrees in 1/100,000. */
export interface PointE5 {
  latE5: number;
  lngE5: number;
}

export interface MapBlock {
  type: 'map';
  /** Says in words what the map shows. */
  caption: string;
  points: (PointE5 & { label: string })[];
  /** The way from fix to fix: latitude and longitude of each. */
  trail: [latE5: number, lngE5: number][];
  /** The edge of a site. */
  circle: (PointE5 & { radiusM: number }) | null;
}
