import { isVisible, z } from '@/lib/base/zod';
import { MAIL_LANGUAGES } from '@/lib/loads/mails';
import type { ShareState } from './schema';

/** POST /api/fleets/:usdot/calendars: a calendar of the arrivals that are expected at a site. */
export const calendarInputSchema = z.strictObject({
  siteId: z.int32().positive(),
  /** Who it is for. */
  recipient: z
    .string()
    .trim()
    .min(1, 'Say who it is for.')
    .max(100, 'A name has at most 100 characters.')
    .refine(isVisible, 'A name has no line breaks and no invisible characters.'),
  language: z.enum(MAIL_LANGUAGES),
  /** Its entries name the truck. */
  showsTruck: z.boolean(),
  /** Unix ms; null: it goes on until it is revoked. */
  endsMs: z.int().min(0).max(4_102_444_800_000).nullable(),
});
export type CalendarInput = z.infer<typeof calendarInputSchema>;

/** PUT /api/fleets/:usdot/calendars/:id: another site is another calendar. */
export const calendarChangeSchema = calendarInputSchema.omit({ siteId: true });
export type CalendarChange = z.infer<typeof calendarChangeSchema>;

/** GET /api/fleets/:usdot/calendars */
export interface SiteCalendar extends CalendarInput {
  id: string;
  site: string;
  state: ShareState;
  /** When it ended or was revoked, Unix ms; null: it is open, or its maker has lost the right to it. */
  endedMs: number | null;
  madeBy: string;
  madeMs: number;
  /** How often programs have read it, and when last. */
  opened: number;
  lastOpenedMs: number | null;
}
