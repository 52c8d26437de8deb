import type { Browser } from '@playwright/test';
import { startDemo, timePast, type Demo } from './demo';
import { runLighthouse, type Audit, type Form } from './lighthouse';
import { readReloadReasons, takeTour, type Tour } from './navigation';
import { filmPhone, loadOnPhone, type PhoneLoad } from './phone-load';
import type { Plan } from './plan';
import { loadSharePage, type SharePageLoad } from './share-page';

export const PAGES = ['map', 'vehicle', 'roster'] as const;
export const FORMS: readonly Form[] = ['phone', 'desktop'];

/** Everything measured of one checkout; a list has one item a round. */
export interface Measured {
  /** "before" or "now". */
  name: string;
  checkout: string;
  audits: Record<(typeof PAGES)[number], Record<Form, Audit[]>>;
  /** By the size of the fleet. */
  loads: Map<number, PhoneLoad[]>;
  films: { atMs: number; png: Buffer }[];
  tours: Tour[];
  reloadReasons: string[];
  pastsMs: number[];
  /** The figures of a customer's page; none where the checkout has no links. */
  sharePages: SharePageLoad[];
}

export const toMeasured = (name: string, checkout: string): Measured => ({
  name,
  checkout,
  audits: {
    map: { phone: [], desktop: [] },
    vehicle: { phone: [], desktop: [] },
    roster: { phone: [], desktop: [] },
  },
  loads: new Map(),
  films: [],
  tours: [],
  reloadReasons: [],
  pastsMs: [],
  sharePages: [],
});

const measureRound = async (browser: Browser, demo: Demo, to: Measured): Promise<void> => {
  if (demo.link !== null) to.sharePages.push(await loadSharePage(browser, `${demo.url}${demo.link}`));
  to.tours.push(await takeTour(browser, demo));
  for (const page of PAGES) {
    for (const form of FORMS) {
      to.audits[page][form].push(await runLighthouse(`${demo.url}${demo.paths[page]}`, form));
    }
  }
};

/** Measures the checkouts with one size of the fleet; round by round, so that the machine is the same for all. */
const measureSize = async (
  browser: Browser,
  units: number,
  { rounds }: Plan,
  isFirst: boolean,
  measured: readonly Measured[],
): Promise<void> => {
  const demos: Demo[] = [];
  try {
    for (const { checkout } of measured) demos.push(await startDemo(checkout, units, browser));
    for (let round = 0; round < rounds; round++) {
      for (const [i, to] of measured.entries()) {
        console.log(`${to.name}, ${units} units, round ${round + 1} of ${rounds}`);
        const load = await loadOnPhone(browser, `${demos[i]!.url}/`);
        to.loads.set(units, [...(to.loads.get(units) ?? []), load]);
        if (isFirst) await measureRound(browser, demos[i]!, to);
      }
    }
    if (!isFirst) return;
    for (const [i, to] of measured.entries()) {
      to.films = await filmPhone(browser, `${demos[i]!.url}/`);
      to.reloadReasons = await readReloadReasons(browser, demos[i]!);
    }
  } finally {
    for (const demo of demos) await demo.stop();
  }
};

/** Measures each checkout with each size of the fleet. */
export const measureAll = async (
  browser: Browser,
  plan: Plan,
  measured: readonly Measured[],
): Promise<void> => {
  for (const [i, units] of plan.sizes.entries()) await measureSize(browser, units, plan, i === 0, measured);
  for (let round = 0; round < plan.rounds; round++)
    for (const to of measured) to.pastsMs.push(await timePast(to.checkout, plan.sizes[0]!, plan.pastHours));
};
