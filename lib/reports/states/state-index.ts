import type { MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { LatLng } from '@/lib/geo/units';
import stateNames from '@/lib/gazetteer/state-names.json';

const CODE_BY_NAME = new Map(Object.entries(stateNames).map(([code, name]) => [name, code]));

/** us-atlas: the states' borders at 1:10 million. */
export type StatesAtlas = Topology<{ states: GeometryCollection<{ name?: string }> }>;

/** Degrees; a cell is about 7 miles high. */
const CELL = 0.1;
const SOUTH = -15;
const ROWS = 870;
const COLUMNS = 3600;
/** Marks a cell with a border in it. */
const BORDER = 255;
/** The state of a position that is in none. */
export const OUTSIDE = 0;

/** The edges that reach into a row of cells: x and y of both ends, and the state, one after the other. */
type RowEdges = number[];
const NUMBERS_AN_EDGE = 5;

const rowOf = (lat: number): number => Math.floor((lat - SOUTH) / CELL);
const columnOf = (lng: number): number => Math.floor((lng + 180) / CELL);

const toRings = (shape: Polygon | MultiPolygon): number[][][] =>
  shape.type === 'Polygon' ? shape.coordinates : shape.coordinates.flat();

/** In which state a position is: a grid answers away from borders, and the borders' polygons near them. */
export class StateIndex {
  /** Postal codes; the first is of what is in no state. */
  readonly codes: readonly string[];
  readonly #rows: RowEdges[] = Array.from({ length: ROWS }, () => []);
  readonly #cells = new Uint8Array(ROWS * COLUMNS);
  readonly #isOdd: Uint8Array;

  constructor(atlas: StatesAtlas) {
    const states = feature(atlas, atlas.objects.states).features;
    this.codes = ['', ...states.map(({ properties }) => CODE_BY_NAME.get(properties.name ?? '') ?? '')];
    this.#isOdd = new Uint8Array(this.codes.length);
    for (const [index, { geometry }] of states.entries()) {
      if (this.codes[index + 1] === '') continue;
      for (const ring of toRings(geometry as Polygon | MultiPolygon))
        for (let i = 1; i < ring.length; i++) this.#addEdge(ring[i - 1]!, ring[i]!, index + 1);
    }
    for (let row = 0; row < ROWS; row++) this.#fillRow(row);
  }

  /** The index of a position's state in `codes`. */
  stateAt({ lat, lng }: LatLng): number {
    const [row, column] = [rowOf(lat), columnOf(lng)];
    if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS) return OUTSIDE;
    const state = this.#cells[row * COLUMNS + column]!;
    return state === BORDER ? this.#stateOf(this.#rows[row]!, lat, lng) : state;
  }

  /** Notes an edge in each row that it reaches into, and marks the cells that it crosses there. */
  #addEdge([fromX, fromY]: number[], [toX, toY]: number[], state: number): void {
    const [x1, y1, x2, y2] = [fromX!, fromY!, toX!, toY!];
    const [low, high] = [Math.min(y1, y2), Math.max(y1, y2)];
    const xAt = (y: number): number => (y1 === y2 ? x1 : x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    for (let row = rowOf(low); row <= rowOf(high); row++) {
      this.#rows[row]!.push(x1, y1, x2, y2, state);
      const [bottom, top] = [SOUTH + row * CELL, SOUTH + (row + 1) * CELL];
      const ends = y1 === y2 ? [x1, x2] : [xAt(Math.max(low, bottom)), xAt(Math.min(high, top))];
      const [west, east] = [Math.min(...ends), Math.max(...ends)];
      for (let column = columnOf(west); column <= Math.min(columnOf(east), COLUMNS - 1); column++)
        this.#cells[row * COLUMNS + column] = BORDER;
    }
  }

  /** Gives the cells of a row without a border the state of their middle. */
  #fillRow(row: number): void {
    const edges = this.#rows[row]!;
    const lat = SOUTH + (row + 0.5) * CELL;
    let state: number | null = null;
    for (let column = 0; edges.length > 0 && column < COLUMNS; column++) {
      const cell = row * COLUMNS + column;
      // Between two cells with borders the state is the same.
      if (this.#cells[cell] === BORDER) state = null;
      else this.#cells[cell] = state ??= this.#stateOf(edges, lat, -180 + (column + 0.5) * CELL);
    }
  }

  /** The state whose polygon has an odd number of edges west of a position. */
  #stateOf(edges: RowEdges, lat: number, lng: number): number {
    const isOdd = this.#isOdd.fill(0);
    for (let i = 0; i < edges.length; i += NUMBERS_AN_EDGE) {
      const [y1, y2] = [edges[i + 1]!, edges[i + 3]!];
      if (y1 > lat === y2 > lat) continue;
      const x1 = edges[i]!;
      if (x1 + ((lat - y1) / (y2 - y1)) * (edges[i + 2]! - x1) < lng) isOdd[edges[i + 4]!]! ^= 1;
    }
    return Math.max(OUTSIDE, isOdd.indexOf(1));
  }
}
