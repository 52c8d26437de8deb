import type { Locator } from '@playwright/test';
import type { ConditionKind } from '@/lib/rules/alert-rule';
import type { LoadCondition } from '@/lib/rules/load-cases';
import { WEEKDAYS } from '@/components/ui/weekly-hours/weekly-hours';
import { MINUTE_MS } from '@/lib/base/time';

/** Kilometers north of the yard. */
export const QUARRY_KM = 10;
const TIME_ZONE = 'America/Chicago';
const KM_PER_MILE = 1.609344;

/** Minutes after the start of the script, and kilometers north of the yard. */
type ScriptedFix = readonly [min: number, northKm: number, how?: 'unconfirmed'];

/** "8:05 AM", after its date where that is not today. */
export const clock = (atMs: number): string =>
  `(\\w+ \\d+, )?${new Date(atMs).toLocaleTimeString('en-US', { timeZone: TIME_ZONE, hour: 'numeric', minute: '2-digit' })}`;

/** One of the minutes from one time to another. */
export const clockWithin = (fromMs: number, toMs: number): string => {
  const minutes = Array.from({ length: Math.floor((toMs - fromMs) / MINUTE_MS) + 2 }, (_, i) =>
    clock(Math.min(fromMs + i * MINUTE_MS, toMs)),
  );
  return `(${[...new Set(minutes)].join('|')})`;
};

/** Three fixes, a minute apart, so many kilometers from each other. */
const drives = (kmPerMin: number): ScriptedFix[] => [
  [-3, 3],
  [-2, 3 + kmPerMin],
  [-1, 3 + 2 * kmPerMin],
];

/** A weekday that is neither today nor next to it. */
const OTHER_DAY = (() => {
  const today = new Date().toLocaleDateString('en-US', { timeZone: TIME_ZONE, weekday: 'long' });
  return WEEKDAYS[(WEEKDAYS.indexOf(today as (typeof WEEKDAYS)[number]) + 3) % 7]!;
})();

export const fillTime = async (dialog: Locator, minutes: number): Promise<void> => {
  await dialog.getByLabel('Time: unit').selectOption('minutes');
  await dialog.getByLabel('Time', { exact: true }).fill(String(minutes));
};

export const choose = async (
  dialog: Locator,
  label: string,
  typed: string,
  option: string,
): Promise<void> => {
  const field = dialog.getByRole('combobox', { name: label, exact: true });
  await field.fill(typed);
  await dialog.getByRole('option', { name: option }).click();
  await field.press('Escape');
};

export interface RuleCase {
  /** How the form names what happens, and how the rule then reads. */
  option: string;
  reads: string;
  fill?: (dialog: Locator) => Promise<void>;
  /** Of the truck that the rule is about, and of the near miss. */
  hit: ScriptedFix[];
  near: ScriptedFix[];
  /** What its alert says after the truck, as a pattern, by the times of minutes of the script and its start. */
  says: (at: (min: number) => string, startMs: number) => string;
}

/** Rules about loads are in loads-driven.spec.ts: they need loads. */
const RULES: Record<Exclude<ConditionKind, 'feedFails' | LoadCondition['kind']>, RuleCase> = {
  arrives: {
    option: 'arrives at',
    reads: 'arrives at Yard Dallas',
    fill: async (dialog) => {
      await dialog.getByLabel('Which sites').selectOption('one of these sites');
      await choose(dialog, 'Sites', 'yard', 'Yard Dallas');
    },
    // The near miss stops beside it.
    hit: [[-22, -2], [-20, 0], [-16, 0]], // oxfmt-ignore
    near: [[-22, -2], [-20, -0.42], [-16, -0.42]], // oxfmt-ignore
    says: (at) => `arrived at Yard Dallas at ${at(-20)}`,
  },
  leaves: {
    option: 'leaves',
    reads: 'leaves any site',
    // The near miss moves into the margin.
    hit: [[-25, 0], [-20, 0], [-16, 0], [-12, 2], [-10, 4]], // oxfmt-ignore
    near: [[-25, 0], [-20, 0], [-16, 0], [-12, 0.35], [-10, 0.35]], // oxfmt-ignore
    says: (at) => `left Yard Dallas at ${at(-16)}`,
  },
  stays: {
    option: 'stays too long at',
    reads: 'stays at any site longer than 15 min',
    fill: (dialog) => fillTime(dialog, 15),
    hit: [[-22, -2], [-20, 0], [-16, 0], [-1, 0]], // oxfmt-ignore
    near: [[-12, -2], [-10, 0], [-6, 0], [-1, 0]], // oxfmt-ignore
    says: (at) => `has been at Yard Dallas for more than 15 min, since ${at(-20)}`,
  },
  entersNoGo: {
    option: 'enters a no-go area',
    reads: 'enters a no-go area',
    // The near miss comes into a yard.
    hit: [[-22, 8], [-20, QUARRY_KM], [-16, QUARRY_KM]], // oxfmt-ignore
    near: [[-22, -2], [-20, 0], [-16, 0]], // oxfmt-ignore
    says: (at) => `entered the no-go area Quarry at ${at(-20)}`,
  },
  standsOutside: {
    option: 'stands outside any site for',
    reads: 'stands longer than 15 min outside any site',
    fill: (dialog) => fillTime(dialog, 15),
    hit: [[-22, 3], [-20, 5], [-14, 5], [-1, 5]], // oxfmt-ignore
    near: [[-10, 3], [-8, 5], [-6, 5], [-1, 5]], // oxfmt-ignore
    says: (at) => `has stood for more than 15 min outside any site, since ${at(-20)}`,
  },
  // The tracking API lists a truck for half an hour after its fix: these are soon left out.
  vanishes: {
    option: 'vanishes while moving',
    reads: 'vanishes while moving',
    hit: [[-29.8, 3], [-29.4, 3.5]], // oxfmt-ignore
    near: [[-29.8, 3], [-29.4, 3]], // oxfmt-ignore
    says: (at) => `vanished while moving: last fix at ${at(-29.4)}, \\d+ mph derived`,
  },
  silent: {
    option: 'is silent for',
    reads: 'is silent for 20 min',
    fill: (dialog) => fillTime(dialog, 20),
    hit: [[-21, 3]],
    near: [[-12, 3]],
    says: (at) => `has been silent for more than 20 min: last fix at ${at(-21)}`,
  },
  late: {
    option: 'is late',
    reads: 'is late',
    // Both are six minutes old: one has reported every minute, the near miss every four.
    hit: [[-10, 3], [-9, 4], [-8, 5], [-7, 6], [-6, 7]], // oxfmt-ignore
    near: [[-22, 3], [-18, 4], [-14, 5], [-10, 6], [-6, 7]], // oxfmt-ignore
    // With its fourth fix its pace is known.
    says: (at) => `is late: last fix at ${at(-7)}`,
  },
  reportsAgain: {
    option: 'reports again after it was silent',
    reads: 'reports again after it was silent',
    // Both report again once the first is silent, after half an hour.
    hit: [[-29.4, 3]],
    near: [[-25, 3]],
    says: (_, startMs) => `reported again at ${clockWithin(startMs, Date.now())} after 3\\d min of silence`,
  },
  flagged: {
    option: 'gets the flag',
    reads: 'gets the flag “Jumped”',
    fill: (dialog) => choose(dialog, 'Flags', 'jump', 'Jumped'),
    // A position that is too far to drive to is taken with the next fix there. The near miss drives at 105 mph.
    hit: [[-3, 3], [-2, 53, 'unconfirmed'], [-1, 53.1]], // oxfmt-ignore
    near: drives((105 / 60) * KM_PER_MILE),
    says: (_, startMs) => `was flagged “Jumped” at ${clockWithin(startMs, Date.now())}`,
  },
  exceeds: {
    option: 'drives faster than',
    reads: 'exceeds 70 mph, derived over at least two fixes',
    fill: (dialog) => dialog.getByLabel('Miles per hour').fill('70'),
    hit: drives((75 / 60) * KM_PER_MILE),
    near: drives((65 / 60) * KM_PER_MILE),
    says: (at) => `exceeded 70 mph: 75 mph derived over at least two fixes, at ${at(-2)}`,
  },
  movesOutsideHours: {
    option: 'moves outside its hours',
    reads: `moves outside ${OTHER_DAY.slice(0, 3)} 6:00 AM–6:00 PM CT`,
    fill: async (dialog) => {
      const days = dialog.getByRole('group', { name: 'Its hours' }).getByRole('group', { name: 'Weekdays' });
      for (const day of WEEKDAYS) {
        const button = days.getByRole('button', { name: day });
        const isPressed = (await button.getAttribute('aria-pressed')) === 'true';
        if (isPressed !== (day === OTHER_DAY)) await button.click();
      }
    },
    hit: drives(1),
    near: drives(0),
    says: (at) => `moved outside ${OTHER_DAY.slice(0, 3)} 6:00 AM–6:00 PM CT: at ${at(-2)}, 37 mph derived`,
  },
};
/** Each with its trucks by their numbers in the script: the one that it is about, and its near miss. */
export const RULE_CASES = Object.entries(RULES).map(([kind, rule], i) => ({
  kind,
  ...rule,
  trucks: [2 * i, 2 * i + 1] as const,
}));
