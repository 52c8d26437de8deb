/** A fix of a device: the only one of its device with that number. */
interface Reported {
  device: number;
  number: number;
}

export interface ReportingDevices {
  /** Sends many reports at a time until it is stopped; resolves once none is in flight. */
  start(url: string, token: string): { stop: () => Promise<void> };
  /** Sends each unacknowledged report, one after the other, until all are acknowledged. */
  catchUp(url: string, token: string): Promise<void>;
  acknowledged(): Reported[];
  made(): Reported[];
}

const DEVICES = 8;
const AT_ONCE_A_DEVICE = 4;
const FIXES_A_BATCH = 5;
export const FIRST_FIX_AT_MS = Date.UTC(2026, 0, 1);

export const toDeviceId = (device: number): string => `device-${device}`;
export const DEVICE_NUMBERS = Array.from({ length: DEVICES }, (_, i) => i + 1);

const toFixAt = ({ number }: Reported): string => new Date(FIRST_FIX_AT_MS + number * 1000).toISOString();

/** One fix by the OsmAnd protocol, several as an Overland batch. */
const toRequest = (url: string, token: string, fixes: readonly Reported[]): Request => {
  const [first] = fixes;
  if (fixes.length === 1) {
    const query = new URLSearchParams({
      id: toDeviceId(first!.device),
      lat: '35.2',
      lon: '-101.8',
      timestamp: toFixAt(first!),
    });
    return new Request(`${url}/ingest/${token}/osmand?${query}`);
  }
  const locations = fixes.map((fix) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [-101.8, 35.2] },
    properties: { device_id: toDeviceId(fix.device), timestamp: toFixAt(fix) },
  }));
  return new Request(`${url}/ingest/${token}/overland`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ locations }),
  });
};

/**
 * Simulated devices that behave like real ones: an unacknowledged report is kept, and sent again before
 * anything newer.
 */
export const createReportingDevices = (): ReportingDevices => {
  const lastNumber = new Map<number, number>();
  const waiting = new Map<number, Reported[][]>(DEVICE_NUMBERS.map((device) => [device, []]));
  const acknowledged: Reported[] = [];

  const makeFixes = (device: number): Reported[] => {
    const first = (lastNumber.get(device) ?? 0) + 1;
    const count = first % 3 === 0 ? FIXES_A_BATCH : 1;
    lastNumber.set(device, first + count - 1);
    return Array.from({ length: count }, (_, i) => ({ device, number: first + i }));
  };

  const send = async (url: string, token: string, fixes: Reported[]): Promise<boolean> => {
    try {
      const response = await fetch(toRequest(url, token, fixes));
      // Only an answer that arrived completely is an acknowledgment.
      await response.arrayBuffer();
      if (response.status !== 200) return false;
      acknowledged.push(...fixes);
      return true;
    } catch {
      // The test killed the service.
      return false;
    }
  };

  return {
    start: (url, token) => {
      let isStopping = false;
      const report = async (device: number): Promise<void> => {
        const kept = waiting.get(device)!;
        while (!isStopping) {
          const fixes = kept.shift() ?? makeFixes(device);
          if (await send(url, token, fixes)) continue;
          kept.unshift(fixes);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const reporting = DEVICE_NUMBERS.flatMap((device) =>
        Array.from({ length: AT_ONCE_A_DEVICE }, () => report(device)),
      );
      return {
        stop: async () => {
          isStopping = true;
          await Promise.all(reporting);
        },
      };
    },
    catchUp: async (url, token) => {
      for (const kept of waiting.values()) {
        while (kept[0]) if (await send(url, token, kept[0])) kept.shift();
      }
    },
    acknowledged: () => [...acknowledged],
    made: () =>
      [...lastNumber].flatMap(([device, last]) =>
        Array.from({ length: last }, (_, i) => ({ device, number: i + 1 })),
      ),
  };
};
