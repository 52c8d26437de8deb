import { createContext, useContext, useMemo } from 'react';
import { useContacts } from '@/lib/contacts/queries';
import { useNotes } from '@/lib/notes/queries';
import { useTags } from '@/lib/tags/queries';
import {
  createMarks,
  withMarks,
  type FleetMarks,
  type UnitContact,
  type UnitMarks,
  type UnitNote,
  type UnitTag,
} from '@/lib/view/marks';
import type { LiveReading } from '@/lib/live/live-reader';
import type { UnitIdentity } from '@/lib/wire/fleet';

export const MarksContext = createContext<FleetMarks | null>(null);

const NO_NOTES: readonly UnitNote[] = [];
const NO_TAGS: readonly UnitTag[] = [];
const NO_CONTACTS: readonly UnitContact[] = [];
const NO_MARKS: UnitMarks = { notes: NO_NOTES, tags: [], contact: null };

/** The marks of a fleet by unit; null without any. The past has neither notes nor contacts, because they are of now. */
export const useReadMarks = (
  usdot: string,
  isWanted: boolean,
  { fleet, past }: Pick<LiveReading, 'fleet' | 'past'>,
): FleetMarks | null => {
  const isPast = past !== null;
  const read = useNotes(usdot, isWanted).data;
  const notes = isPast ? NO_NOTES : (read?.notes ?? NO_NOTES);
  const tags = useTags(usdot, isWanted).data?.tags ?? NO_TAGS;
  // They wait for the fleet, which is on the screen without them.
  const known = useContacts(usdot, isWanted && fleet !== null).data?.contacts;
  const contacts = isPast ? NO_CONTACTS : (known ?? NO_CONTACTS);
  return useMemo(
    () => (notes.length + tags.length + contacts.length === 0 ? null : createMarks(notes, tags, contacts)),
    [notes, tags, contacts],
  );
};

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
