import type { APIRequestContext } from '@playwright/test';
import { STATUSES, REASONS, flagBit, type Reason, type Status } from '@/lib/motion/status';
import { DEGREES_PER_E5, type LatLng } from '@/lib/geo/units';
import { NO_POSITION } from '@/lib/wire/fleet';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';

/** A unit in the application's format for browsers. */
export interface LiveUnit {
  key: string;
  vin: string | null;
  truckNumber: string | null;
  status: Status;
  reason: Reason;
  hasPosition: boolean;
  /** Degrees; null: none. */
  position: LatLng | null;
  /** Time of its newest fix, Unix ms; 0: none. */
  fixAtMs: number;
  /** Its position is drawn, and is outside the area that the fleet drives in. */
  isElsewhere: boolean;
}

/** Every unit of an application's live route; the target's unless another is named. */
export const readLiveUnits = async (
  request: APIRequestContext,
  usdot: string,
  url = '',
): Promise<LiveUnit[]> => {
  const response = await request.get(`${url}/api/fleets/${usdot}/live`);
  const { identities, columns } = applyLiveAnswer(null, fromLiveBytes(await response.body()));
  return identities.flatMap((identity, row) =>
    identity === null
      ? []
      : [
          {
            key: identity.key,
            vin: identity.vin,
            truckNumber: identity.truckNumber,
            status: STATUSES[columns.status[row]!]!,
            reason: REASONS[columns.reason[row]!]!,
            hasPosition: columns.latE5[row] !== NO_POSITION,
            position:
              columns.latE5[row] === NO_POSITION
                ? null
                : { lat: columns.latE5[row]! * DEGREES_PER_E5, lng: columns.lngE5[row]! * DEGREES_PER_E5 },
            fixAtMs: columns.fixAtS[row]! * 1000,
            isElsewhere: (columns.flags[row]! & flagBit('implausiblePosition')) !== 0,
          },
        ],
  );
};

const LEFT: readonly Reason[] = ['vanished', 'vanishedMoving', 'vanishedStopped'];

/** Units that left the API's list while the application watched: it keeps them at their last position. */
export const countDeparted = (units: readonly LiveUnit[]): number =>
  units.filter(({ reason, hasPosition }) => hasPosition && LEFT.includes(reason)).length;
