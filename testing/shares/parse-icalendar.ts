/** A small reader of RFC 5545, written apart from what writes the calendars. */

export interface ParsedCalendar {
  name: string | undefined;
  events: Record<string, string | undefined>[];
}

/** Properties that hold texts: their escapes are read. */
const TEXTS = new Set(['NAME', 'X-WR-CALNAME', 'SUMMARY', 'DESCRIPTION', 'LOCATION']);

const readText = (value: string): string => {
  let text = '';
  for (let i = 0; i < value.length; i += 1) {
    const character = value[i]!;
    if (character === ';' || character === ',') throw new Error(`Got a bare ${character} in a text.`);
    if (character !== '\\') {
      text += character;
      continue;
    }
    i += 1;
    const escaped = value[i];
    if (escaped === 'n' || escaped === 'N') text += '\n';
    else if (escaped === '\\' || escaped === ';' || escaped === ',') text += escaped;
    else throw new Error(`Got an unknown escape: ${String(escaped)}`);
  }
  return text;
};

/** The one calendar of a file with its events. @throws Error for a file that RFC 5545 does not allow */
export const parseICalendar = (file: string): ParsedCalendar => {
  if (!file.endsWith('\r\n') || /(?<!\r)\n|\r(?!\n)/.test(file)) throw new Error('Lines end with CRLF.');
  const lines = file.slice(0, -2).replaceAll('\r\n ', '').split('\r\n');
  const [calendar, events]: [Record<string, string>, Record<string, string>[]] = [{}, []];
  const open: string[] = [];
  for (const line of lines) {
    const [, name, value] = /^([A-Z][A-Z-]*)(?:;[A-Z]+=[A-Z]+)*:(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Got no property: ${line}`);
    if (name === 'BEGIN') {
      open.push(value);
      if (value === 'VEVENT') events.push({});
    } else if (name === 'END') {
      if (open.pop() !== value) throw new Error(`Got the end of ${value} in another component.`);
    } else {
      const component = open.at(-1) === 'VEVENT' ? events.at(-1)! : calendar;
      if (name in component) throw new Error(`Got ${name} twice.`);
      component[name] = TEXTS.has(name) ? readText(value) : value;
    }
  }
  if (open.length > 0 || lines[0] !== 'BEGIN:VCALENDAR' || lines.at(-1) !== 'END:VCALENDAR')
    throw new Error('Got no whole calendar.');
  for (const name of ['VERSION', 'PRODID']) if (!calendar[name]) throw new Error(`Got no ${name}.`);
  for (const event of events) {
    for (const name of ['UID', 'DTSTAMP', 'DTSTART']) if (!event[name]) throw new Error(`Got no ${name}.`);
    for (const name of ['DTSTAMP', 'DTSTART', 'DTEND', 'LAST-MODIFIED'])
      if (event[name] !== undefined && !/^\d{8}T\d{6}Z$/.test(event[name]))
        throw new Error(`Got ${name} not in UTC.`);
  }
  return { name: calendar.NAME, events };
};
