import type { UnitIdentity } from '@/lib/wire/fleet';

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name that does not turn the direction of the text beside it: isolated where it is right-to-left. */
export const isolated = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The name of a unit for a dispatcher: its truck number, else the best other name it has. */
export const unitName = (identity: UnitIdentity): string =>
  isolated(
    identity.truckNumber ??
      identity.plateNumber ??
      (identity.vin === null ? null : identity.vin.slice(-6)) ??
      identity.deviceId ??
      identity.key,
  );

/** The name of a unit among identities by key; the key of one that is not among them. */
export const nameAmong = (identities: ReadonlyMap<string, UnitIdentity>, key: string): string => {
  const identity = identities.get(key);
  return identity === undefined ? key : unitName(identity);
};

/** The name as a heading: "Truck 412", or with the kind of name where there is no truck number. */
export const unitTitle = (identity: UnitIdentity): string => {
  if (identity.truckNumber !== null) return `Truck ${isolated(identity.truckNumber)}`;
  if (identity.plateNumber !== null) return `Plate ${isolated(identity.plateNumber)}`;
  if (identity.vin !== null) return `VIN …${identity.vin.slice(-6)}`;
  return `Device ${isolated(identity.deviceId ?? identity.key)}`;
};
