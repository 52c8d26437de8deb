import { sendAsPage } from '@/e2e/support/session';

const DAY_MS = 86_400_000;

/** Makes a link to a truck of a fleet; null where a checkout has no links yet. */
export const makeShareLink = async (
  url: string,
  { usdot, vin, cookie }: { usdot: string; vin: string; cookie?: string },
): Promise<string | null> => {
  const share = {
    ...{ recipient: 'Bench', items: [{ loadId: null, unit: vin, alias: '' }], precision: 'exact' },
    fields: ['status', 'heading', 'trail', 'truckNumber'],
    ...{ delayMin: 0, endsMs: Date.now() + DAY_MS, endsOn: null, endsAtStop: null, endsAtSite: null },
    ...{ showsEnd: true, frameOrigins: [] },
  };
  const response = await sendAsPage(url, `/api/fleets/${usdot}/shares`, share, cookie);
  return response.ok ? ((await response.json()) as { link: string }).link : null;
};
