import { AUDIT_ACTIONS, type AuditAction } from '@/lib/audit/schema';
import type { Threshold } from '@/lib/settings/schema';
import type { Flag } from '@/lib/motion/status';
import { formatPhone } from '@/lib/identity/phone';
import { formatMoment, formatAge } from '@/lib/view/format';
import { enterText, leaveText } from '@/lib/settings/text';
import { FLAG_LABELS } from '@/lib/view/text';

const isKnown = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action);

/** The label of an action; an unknown action of another version is shown by its raw name. */
export const actionText = (action: string): string => (isKnown(action) ? AUDIT_ACTIONS[action] : action);

/** The labels of details whose names are not plain English. */
const DETAIL_NAMES: Readonly<Record<string, string>> = {
  allowedNetworks: 'from',
  assetType: 'type',
  deviceId: 'device',
  dispatcherPhone: 'dispatcher’s phone',
  driverPhone: 'driver’s phone',
  expiresAtMs: 'expires',
  includesContacts: 'contacts included',
  fuelType: 'fuel',
  isSecondFactorRequired: 'second factor of managers',
  replacedInvitationBy: 'replaced the invitation by',
  isNewOnly: 'only new cases',
  isReplacedPair: 'only the secrets that were replaced',
  madeBy: 'made by',
  marginM: 'margin',
  openingHours: 'opening hours',
  plateNumber: 'plate',
  plateState: 'state of the plate',
  overlapMs: 'old secrets work on for',
  registeredMcNumber: 'registered to MC',
  registeredUsdot: 'registered to USDOT',
  requestsPerMinute: 'requests a minute',
  secondDriver: 'second driver',
  secondDriverPhone: 'second driver’s phone',
  tags: 'trucks with tags',
  text: 'good to know',
  truckNumber: 'truck number',
  usdot: 'USDOT',
  usdots: 'fleets',
  vin: 'VIN',
};

/** Details without meaning for a manager; the CSV file includes them. */
const HIDDEN_DETAILS: readonly string[] = ['id'];

const isFlag = (name: string): name is Flag => Object.hasOwn(FLAG_LABELS, name);

const isThreshold = (value: unknown): value is Threshold =>
  typeof value === 'object' && value !== null && 'enterMs' in value && 'leaveMs' in value;

const nameText = (name: string): string =>
  DETAIL_NAMES[name] ?? (isFlag(name) ? `flag “${FLAG_LABELS[name]}”` : name);

const valueText = (name: string, value: unknown, nowMs: number): string => {
  if (value === '') return 'none';
  if (value === null) return name === 'usdots' || name === 'tags' ? 'all' : 'none';
  if (name === 'expiresAtMs' && typeof value === 'number') return formatMoment(value, nowMs);
  if (name === 'overlapMs' && typeof value === 'number') return formatAge(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  if (['isReplacedPair', 'includesContacts', 'isNewOnly'].includes(name))
    return value === true ? 'yes' : 'no';
  if (name === 'isSecondFactorRequired') return value === true ? 'needed' : 'not needed';
  if (isThreshold(value)) return `raised after ${enterText(value)}, cleared after ${leaveText(value)}`;
  if (typeof value === 'string' && name.endsWith('Phone')) return formatPhone(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const isChange = (value: unknown): value is { before: unknown; after: unknown } =>
  typeof value === 'object' && value !== null && 'before' in value && 'after' in value;

/** One line per detail, such as "role: dispatcher → manager". */
export const detailText = (details: Readonly<Record<string, unknown>> | null, nowMs: number): string[] =>
  Object.entries(details ?? {})
    .filter(([name]) => !HIDDEN_DETAILS.includes(name))
    .map(([name, value]) => {
      const text = isChange(value)
        ? `${valueText(name, value.before, nowMs)} → ${valueText(name, value.after, nowMs)}`
        : valueText(name, value, nowMs);
      return `${nameText(name)}: ${text}`;
    });

/** The first instant of a form's day ("2026-11-21") in the browser's zone, plus `plusDays`; undefined if it is invalid. */
export const dayStartMs = (day: string, plusDays = 0): number | undefined => {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const start = new Date(2000, 0, 1);
  // The Date constructor maps years below 100 to the 20th century.
  const ms = start.setFullYear(year, month - 1, date + plusDays);
  return Number.isNaN(ms) || ms < 0 ? undefined : ms;
};
