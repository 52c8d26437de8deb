/** A text with U+0000, which PostgreSQL cannot store. */
export const UNSTORABLE = 'zero\0byte';
/** Texts that try to be run by a database, a browser, a log or a spreadsheet, or to break it. */
export const HOSTILE = [
  `'; DROP TABLE linehaul.users; --`,
  `'); DELETE FROM tracking.vehicles; --`,
  `" OR "1"="1`,
  `' UNION SELECT token FROM linehaul.sessions --`,
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '${7*7}{{7*7}}',
  '=HYPERLINK("http://evil.test")',
  '%00%0d%0aSet-Cookie: a=b',
  'javascript:alert(1)',
  UNSTORABLE,
  'half of a pair \ud800',
];
