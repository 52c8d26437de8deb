import type { Bounds } from '@/lib/geo/geodesy';
import { shorten } from '@/lib/base/text/text';
import { unitName } from '@/lib/view/unit-name';
import { flagBit } from '@/lib/motion/status';
import type { Point } from '../../box-index';
import { Declutter } from './declutter';
import { toPillBox, type Scene, type SelectedUnit } from '../draw';
import { LabelPlacer } from './place-labels';
import { toLat, toLng, toMercatorX, toMercatorY } from '@/lib/geo/projection';
import { HIDDEN, rankRows, type Glyphs, type View } from './glyphs';
import { createTrack, type DrawnTrack, type TrackFix } from '../track';
import { UnitPlaces } from '../places/unit-places';
import type { Fleet } from '@/lib/wire/fleet';
import type { LatLng } from '@/lib/geo/units';

const IMPLAUSIBLE = flagBit('implausiblePosition');

/** What the map shows of a fleet. */
export interface UnitSceneInput {
  fleet: Fleet | null;
  /** 1 for each row that passes the filter; null for all. */
  visible: Uint8Array | null;
  selectedRow: number | null;
  /** The selected unit's recent fixes, and a place that it may have jumped to. */
  track: readonly TrackFix[] | null;
  unconfirmed: LatLng | null;
  /** How many times faster than life units glide; 0: they jump. */
  pace: number;
}

/** How the selected unit's pill is measured. */
interface TextWidths {
  labelWidth(text: string): number;
  pillWidth(text: string): number;
}

/** How far a unit must have moved before the next frame is drawn, CSS pixels. */
export const WORTH_DRAWING_PX = 0.5;

const toLabel = (number: string | null): string | null => (number === null ? null : shorten(number));

/** What to draw, frame by frame: places, ranks, glyphs and labels, without a canvas. */
export class UnitScene {
  #input: UnitSceneInput | null = null;
  #places = new UnitPlaces();
  #ranks = new Uint8Array(0);
  #plotted = 0;
  #declutter = new Declutter();
  #labels = new LabelPlacer();
  #track: DrawnTrack | null = null;
  #takenVersion = '';

  /** Updates what changed; the same object counts as unchanged. */
  update(input: UnitSceneInput, nowMs: number): void {
    const before = this.#input;
    this.#input = input;
    const { fleet, visible, selectedRow, track, pace } = input;
    if (fleet && (fleet !== before?.fleet || pace !== before.pace)) {
      const isOther = this.#places.update(fleet, nowMs, pace);
      if (pace === 0) this.#places.glide.finish();
      if (isOther) {
        this.#declutter.reset();
        this.#labels.reset();
      }
    }
    if (fleet !== before?.fleet || visible !== before?.visible || selectedRow !== before?.selectedRow) {
      const rows = fleet?.rows ?? 0;
      if (this.#ranks.length < rows) this.#ranks = new Uint8Array(Math.ceil(rows * 1.25));
      this.#plotted = fleet ? rankRows(fleet, visible, selectedRow, this.#ranks) : 0;
    }
    if (track !== before?.track) this.#track = track && track.length > 0 ? createTrack(track) : null;
    this.#noteTaken();
  }

  /** Moves gliding units on; returns how many still glide. */
  advance(nowMs: number): number {
    this.#places.glide.advance(nowMs);
    return this.#places.glide.gliding;
  }

  /** Whether the last update is incomplete: until it is applied, some units are at their former position. */
  get isTaking(): boolean {
    return this.#places.isTaking;
  }

  takeMore(nowMs: number): void {
    this.#places.takeMore(nowMs);
    this.#noteTaken();
  }

  /** The newest version whose positions were all applied. */
  get takenVersion(): string {
    return this.#takenVersion;
  }

  #noteTaken(): void {
    if (!this.isTaking) this.#takenVersion = this.#input?.fleet?.version ?? '';
  }

  get glyphs(): Glyphs {
    return this.#declutter.glyphs;
  }

  /** The rows that a glyph represents, the drawn one first. */
  members(glyph: number): number[] {
    return this.#declutter.members(glyph);
  }

  /** Whether a drawn unit has moved enough since the last frame. */
  hasMoved(view: View): boolean {
    const { glyphs } = this;
    const { x, y } = this.#places.glide;
    for (let glyph = 0; glyph < glyphs.count; glyph++) {
      const row = glyphs.row[glyph]!;
      if (Math.abs(x[row]! * view.worldSizePx - view.left - glyphs.x[glyph]!) >= WORTH_DRAWING_PX)
        return true;
      if (Math.abs(y[row]! * view.worldSizePx - view.top - glyphs.y[glyph]!) >= WORTH_DRAWING_PX) return true;
    }
    return false;
  }

  /** Pixels that the fastest drawn unit goes in a millisecond. */
  fastest(view: View): number {
    return this.#places.glide.fastest(this.glyphs.row, this.glyphs.count) * view.worldSizePx;
  }

  /** Where a row is drawn, pixels of the view; null for a row without a place. */
  placeOf(row: number, view: View): Point | null {
    const { x, y } = this.#places.glide;
    const atX = x[row];
    if (atX === undefined || Number.isNaN(atX)) return null;
    return { x: atX * view.worldSizePx - view.left, y: y[row]! * view.worldSizePx - view.top };
  }

  /**
   * The smallest rectangle that holds these rows (null: all on the map but those at an implausible position, which
   * would shrink the rest to a dot); null when none has a place.
   */
  boundsOf(rows: readonly number[] | null): Bounds | null {
    const { x, y } = this.#places.glide;
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    const take = (row: number): void => {
      if (row >= x.length || Number.isNaN(x[row]!)) return;
      minX = Math.min(minX, x[row]!);
      maxX = Math.max(maxX, x[row]!);
      minY = Math.min(minY, y[row]!);
      maxY = Math.max(maxY, y[row]!);
    };
    if (rows) rows.forEach(take);
    else for (let row = 0; row < this.#ranks.length; row++) if (this.#isPlausible(row)) take(row);
    return minX <= maxX ? [toLat(maxY), toLng(minX), toLat(minY), toLng(maxX)] : null;
  }

  #isPlausible(row: number): boolean {
    return this.#ranks[row] !== HIDDEN && (this.#input!.fleet!.columns.flags[row]! & IMPLAUSIBLE) === 0;
  }

  /** The frame for a view; null before there is a fleet. */
  compose(view: View, texts: TextWidths): Scene | null {
    const { fleet = null } = this.#input ?? {};
    if (!fleet) return null;
    const { x, y } = this.#places.glide;
    const units = { rows: fleet.rows, x, y, rank: this.#ranks, plotted: this.#plotted };
    const glyphs = this.#declutter.run(units, view);
    const selected = this.#toSelected(fleet, view);
    const pill = selected && toPillBox(selected.x, selected.y, texts.pillWidth(selected.text));
    const labels = this.#labels.run(
      glyphs,
      view,
      (row) => toLabel(fleet.identities[row]?.truckNumber ?? null),
      texts.labelWidth,
      selected && pill && selected.glyph >= 0 ? { glyph: selected.glyph, pill } : null,
    );
    return { glyphs, columns: fleet.columns, labels, selected, view };
  }

  /** Whether something of the last frame touches a box, pixels of the view. */
  covers(left: number, top: number, right: number, bottom: number): boolean {
    return this.#labels.covers(left, top, right, bottom);
  }

  #toSelected(fleet: Fleet, view: View): SelectedUnit | null {
    const { selectedRow, unconfirmed } = this.#input!;
    const at = selectedRow === null ? null : this.placeOf(selectedRow, view);
    if (selectedRow === null || !at) return null;
    const identity = fleet.identities[selectedRow];
    return {
      ...at,
      glyph: this.glyphs.row.subarray(0, this.glyphs.count).indexOf(selectedRow),
      text: identity ? shorten(unitName(identity)) : '',
      newestFixAtMs: fleet.columns.fixAtS[selectedRow]! * 1000,
      track: this.#track,
      unconfirmed: unconfirmed && {
        x: toMercatorX(unconfirmed.lng) * view.worldSizePx - view.left,
        y: toMercatorY(unconfirmed.lat) * view.worldSizePx - view.top,
      },
    };
  }
}
