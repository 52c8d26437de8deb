/** A report that a unit is to make: `reportAtMs` names the report, `dueAtMs` says when it is sent. */
export interface Appointment {
  unit: number;
  reportAtMs: number;
  dueAtMs: number;
  isFirst: boolean;
}

export interface Schedule {
  /** Appointments that are never due (Infinity) are forgotten. */
  add(appointment: Appointment): void;
  /** Takes out what is due by now, in order of time. */
  takeDue(nowMs: number): Appointment[];
}

const SLOT_MS = 250;

/** Appointments in slots of a quarter second: adding and taking cost the same however many there are. */
export const createSchedule = (): Schedule => {
  const slots = new Map<number, Appointment[]>();
  let earliest = Infinity;
  return {
    add(appointment) {
      if (!Number.isFinite(appointment.dueAtMs)) return;
      const slot = Math.ceil(appointment.dueAtMs / SLOT_MS);
      const held = slots.get(slot);
      if (held) held.push(appointment);
      else slots.set(slot, [appointment]);
      earliest = Math.min(earliest, slot);
    },
    takeDue(nowMs) {
      const last = Math.floor(nowMs / SLOT_MS);
      if (earliest > last) return [];
      const due = [...slots.keys()].filter((slot) => slot <= last).sort((a, b) => a - b);
      const taken = due.flatMap((slot) => slots.get(slot)!);
      for (const slot of due) slots.delete(slot);
      earliest = slots.size === 0 ? Infinity : Math.min(...slots.keys());
      return taken;
    },
  };
};
