import { createContext, useContext, useMemo } from 'react';
import { MINUTE_MS } from '@/lib/base/time';
import { useContacts } from '@/lib/contacts/queries';
import { useLoads, usePastLoads } from '@/lib/loads/queries';
import type { UnitLoad } from '@/lib/view/load-verdicts';
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
const NO_LOADS: readonly UnitLoad[] = [];
const NO_MARKS: UnitMarks = { notes: NO_NOTES, tags: [], contact: null, loads: NO_LOADS };

/** The marks of a fleet by unit; null without any. The past has neither notes nor contacts, because they are of now. */
export const useReadMarks = (
  usdot: string,
  isWanted: boolean,
  { fleet, past }: Pick<LiveReading, 'fleet' | 'past'>,
): FleetMarks | null => {
  const isPast = past !== null;
  const noted = useNotes(usdot, isWanted).data;
  const notes = isPast ? NO_NOTES : (noted?.notes ?? NO_NOTES);
  const tags = useTags(usdot, isWanted).data?.tags ?? NO_TAGS;
  // They wait for the fleet, which is on the screen without them.
  const known = useContacts(usdot, isWanted && fleet !== null).data?.contacts;
  const contacts = isPast ? NO_CONTACTS : (known ?? NO_CONTACTS);
  const read = useLoads(usdot, isWanted && fleet !== null).data?.ofUnits;
  const then = usePastLoads(usdot, isWanted ? past : null).data;
  // A load moves from state to state within hours.
  const minuteMs = past === null ? null : Math.floor(past.atMs / MINUTE_MS) * MINUTE_MS;
  const pastLoads = useMemo(() => (minuteMs === null ? null : then?.marksAt(minuteMs)), [then, minuteMs]);
  const loads = (isPast ? pastLoads : read) ?? NO_LOADS;
  return useMemo(
    () =>
      notes.length + tags.length + contacts.length + loads.length === 0
        ? null
        : createMarks(notes, tags, contacts, loads),
    [notes, tags, contacts, loads],
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
