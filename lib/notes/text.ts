import { formatDay, formatDayAndTime, formatMoment } from '@/lib/view/format';
import type { UnitNote } from '@/lib/view/marks';

/** "until Fri, Nov 27" where a note ends with a day by the viewer's clock, else "until Fri, Nov 27, 1:36 PM CST". */
const expiryText = (expiresMs: number, nowMs: number): string =>
  formatDay(expiresMs, nowMs) === formatDay(expiresMs - 1, nowMs)
    ? `until ${formatDayAndTime(expiresMs, nowMs)}`
    : `until ${formatDay(expiresMs - 1, nowMs)}`;

/** "Ann Lee · Nov 20, 10:12 AM · until Fri, Nov 27". Both times are by the server's clock, which is `skewMs` ahead. */
export const noteAboutText = (
  { author, createdMs, expiresMs }: UnitNote,
  nowMs: number,
  skewMs: number,
): string =>
  [
    author,
    formatMoment(createdMs - skewMs, nowMs - skewMs),
    expiresMs === null ? null : expiryText(expiresMs, nowMs),
  ]
    .filter((part) => part !== null)
    .join(' · ');
