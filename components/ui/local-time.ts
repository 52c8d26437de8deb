/** "2026-11-24T06:00": a moment as `<input type="datetime-local">` has it, in the browser's time zone. */
export const toLocalTime = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
