import { list, number, object, optional, text, type ShapeOf } from '../shape';

/** The header with a page's random screen number, which only the server receives. */
export const SCREEN_HEADER = 'x-linehaul-screen';

/** The Accept header of a page's requests for data. */
export const LIVE_ACCEPT = 'application/json';

/** The header of a file that is made while it is sent: about how many bytes it will have. */
export const EXPECTED_BYTES_HEADER = 'x-linehaul-expected-bytes';

/** The header of a live answer that names the server's build. */
export const BUILD_HEADER = 'x-linehaul-build';

/** The header of a request for a page to be stored: its fleet comes from the stored copy, so the HTML shows none. */
export const STORED_PAGE_HEADER = 'x-linehaul-stored-page';

/** The cookie with the USDOT number of the fleet that this browser showed last; it grants nothing. */
export const LAST_FLEET_COOKIE = 'linehaul-fleet';

/** An RFC 9457 problem document, as our own routes answer it. `code` is stable; `detail` is for people. */
export const problemSchema = object({
  type: optional(text),
  title: text,
  status: number,
  code: text,
  detail: optional(text),
  /** The error of one field of a form; an empty name for the form as a whole. */
  faults: optional(list(object({ field: text, message: text }))),
});
export type Problem = ShapeOf<typeof problemSchema>;
