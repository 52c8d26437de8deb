import type { AuditAction } from '@/lib/audit/schema';
import type { Threshold } from '@/lib/settings/schema';
import type { Flag } from '@/lib/motion/status';
import { formatMoment, formatAge } from '@/lib/view/format';
import { enterText, leaveText } from '@/lib/settings/text';
import { FLAG_LABELS } from '@/lib/view/text';

const ACTION_LABELS: Readonly<Record<AuditAction, string>> = {
  'alert-rule.add': 'Added an alert rule',
  'alert-rule.change': 'Changed an alert rule',
  'alert-rule.remove': 'Removed an alert rule',
  'alert.acknowledge': 'Acknowledged an alert',
  'api-key.change': 'Changed an API key',
  'api-key.create': 'Made an API key',
  'api-key.revoke': 'Revoked an API key',
  'api-key.rotate': 'Rotated an API key',
  'audit.export': 'Exported the audit log',
  'demo.remove': 'Removed the demo',
  'fleet-source.change': 'Chose where the fleets come from',
  'fleet.export': 'Exported the fixes of a fleet',
  'handover-mail.change': 'Changed when they get the handover by mail',
  'handover-mail.remove': 'Ended the handover mails of a user',
  'push-subscription.remove': 'Ended push messages to a browser',
  'ingest-token.create': 'Made an ingest token',
  'ingest-token.revoke': 'Revoked an ingest token',
  'note.add': 'Wrote a note on a truck',
  'note.remove': 'Removed a note from a truck',
  'password.change': 'Changed their password',
  'recovery-codes.renew': 'Made new recovery codes',
  'second-factor.add': 'Set up a second factor',
  'second-factor.remove': 'Removed a second factor',
  'second-factor.start': 'Began to set up a second factor',
  'session.end': 'Signed out a session',
  'session.end-all': 'Signed out everywhere',
  'set-up': 'Set up the server',
  'settings.change': 'Changed settings',
  'sign-in': 'Signed in',
  'sign-in.password': 'Password accepted, second factor pending',
  'sign-in.second-factor': 'Gave a code to sign in',
  'sign-out': 'Signed out',
  'site.add': 'Added a site',
  'site.change': 'Changed a site',
  'site.import': 'Imported sites',
  'site.remove': 'Removed a site',
  'tag.change': 'Changed a tag',
  'trail.export': 'Exported a trail',
  'user.ask-for-reset': 'Requested a new password by mail',
  'user.change': 'Changed a user',
  'user.disable': 'Disabled a user',
  'user.enable': 'Enabled a user',
  'user.invite': 'Invited a user',
  'user.join': 'Took up an invitation',
  'user.make-reset-link': 'Made a link to a new password',
  'user.reset-password': 'Chose a new password by a link',
  'user.withdraw-invitation': 'Withdrew an invitation',
  'vehicle.add': 'Added a vehicle',
  'vehicle.change': 'Changed a vehicle',
  'vehicle.import': 'Imported vehicles',
  'view.remove': 'Removed a shared view',
  'view.share': 'Shared a view',
  'wall-screen.create': 'Made a wall screen',
  'wall-screen.open': 'Opened a wall screen',
  'wall-screen.revoke': 'Revoked a wall screen',
  'webhook.add': 'Added a webhook',
  'webhook.change': 'Changed a webhook',
  'webhook.remove': 'Removed a webhook',
  'webhook.replay': 'Sent a message to a webhook again',
};

const isKnown = (action: string): action is AuditAction => Object.hasOwn(ACTION_LABELS, action);

/** The label of an action; an unknown action of another version is shown by its raw name. */
export const actionText = (action: string): string => (isKnown(action) ? ACTION_LABELS[action] : action);

/** The labels of details whose names are not plain English. */
const DETAIL_NAMES: Readonly<Record<string, string>> = {
  allowedNetworks: 'from',
  deviceId: 'device',
  expiresAtMs: 'expires',
  isSecondFactorRequired: 'second factor of managers',
  replacedInvitationBy: 'replaced the invitation by',
  isReplacedPair: 'only the secrets that were replaced',
  madeBy: 'made by',
  marginM: 'margin',
  openingHours: 'opening hours',
  overlapMs: 'old secrets work on for',
  requestsPerMinute: 'requests a minute',
  tags: 'trucks with tags',
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
  if (value === null) return name === 'usdots' || name === 'tags' ? 'all' : 'none';
  if (name === 'expiresAtMs' && typeof value === 'number') return formatMoment(value, nowMs);
  if (name === 'overlapMs' && typeof value === 'number') return formatAge(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  if (name === 'isReplacedPair') return value === true ? 'yes' : 'no';
  if (name === 'isSecondFactorRequired') return value === true ? 'needed' : 'not needed';
  if (isThreshold(value)) return `raised after ${enterText(value)}, cleared after ${leaveText(value)}`;
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
