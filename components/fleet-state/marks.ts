import { createContext, useContext, useMemo } from 'react';
import { useNotes } from '@/lib/notes/queries';
import { createMarks, withMarks } from '@/lib/view/marks';
import type { FleetMarks, UnitMarks, UnitNote } from '@/lib/view/marks';
import type { LiveReading } from '@/lib/browser/live-reader';
import type { UnitIdentity } from '@/lib/wire/fleet';

export const MarksContext = createContext<FleetMarks | null>(null);

const NO_NOTES: readonly UnitNote[] = [];
const NO_MARKS: UnitMarks = { notes: NO_NOTES, tags: [] };

/** The notes of a fleet by unit; null without any. A moment in the past has none, because notes are of now. */
export const useReadMarks = (usdot: string, isWanted: boolean, isPast: boolean): FleetMarks | null => {
  const { data } = useNotes(usdot, isWanted);
  const notes = isPast ? NO_NOTES : (data?.notes ?? NO_NOTES);
  return useMemo(() => (notes.length === 0 ? null : createMarks(notes, [])), [notes]);
};

/** The reading with the marks of its units. */
export const useMarkedReading = (reading: LiveReading, marks: FleetMarks | null): LiveReading =>
  useMemo(
    () =>
      reading.fleet === null || marks === null
        ? reading
        : { ...reading, fleet: withMarks(reading.fleet, marks) },
    [reading, marks],
  );

/** The marks of a unit, also of one that the fleet on the screen does not have. */
export const useUnitMarks = (identity: UnitIdentity): UnitMarks =>
  useContext(MarksContext)?.of(identity) ?? NO_MARKS;
