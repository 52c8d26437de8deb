import 'server-only';
import { isJsonObject } from '../schema';

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** A list that is the root, or the first that the root object has, begins within this many characters. */
const HEAD_CHARACTERS = 1024;
/** A placeholder for the records in the text around them. */
const PLACEHOLDER = 0;

/** Parses JSON while its text arrives. Both throw a SyntaxError where the text is not JSON. */
interface JsonReader {
  push(text: string): void;
  /** The parsed text; a list that was delivered record by record is empty in it. */
  end(): unknown;
}

/** JSON.parse without an excerpt of the text in its error: the text may repeat a secret. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [position = 'an unknown position'] = /position \d+/.exec(String(error)) ?? [];
    throw new SyntaxError(`The text is not JSON at ${position}.`);
  }
};

/** Parses a text as a whole, once it is complete. */
export const createTextReader = (): JsonReader => {
  let whole = '';
  return {
    push: (text) => void (whole += text),
    end: () => parseJson(whole),
  };
};

const parseRecords = (text: string): readonly unknown[] => {
  const records = parseJson(`[${text}]`) as unknown[];
  if (records.length === 0)
    throw new SyntaxError('A record is missing before a comma or the end of the list.');
  return records;
};

/** Scans a list piece by piece: the position of the last comma between records and of the list's end, or -1. */
const createScanner = () => {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  return (text: string): { lastComma: number; end: number } => {
    let lastComma = -1;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isInString = false;
      } else if (code === QUOTE) isInString = true;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
      else if (code === COMMA && depth === 0) lastComma = i;
      else if ((code === CLOSE_LIST || code === CLOSE_OBJECT) && --depth < 0) return { lastComma, end: i };
    }
    return { lastComma, end: -1 };
  };
};

type Take = (records: readonly unknown[]) => void;

/** Hands over the list of a text that had none at the expected position: it may have one further on. */
const takeWhole = (json: unknown, key: string, take: Take): unknown => {
  const list = isJsonObject(json) ? json[key] : json;
  if (!Array.isArray(list)) return json;
  take(list);
  return isJsonObject(json) ? { ...json, [key]: [] } : [];
};

/**
 * Passes the records of a list to `take` in batches as they arrive, so that neither the text nor all records are held
 * (180 MB for 100,000 units). The list is the root or its value under `key`; records are valid once `end` has returned.
 */
export const createListReader = (key: string, take: Take): JsonReader => {
  const opening = new RegExp(String.raw`^\s*(\{\s*"${key}"\s*:\s*)?\[`);
  const scan = createScanner();
  let phase: 'before' | 'within' | 'after' = 'before';
  let head = '';
  /** The unparsed rest of the list: an incomplete record. */
  let rest = '';
  let tail = '';
  let hasRecords = false;

  const takeRecords = (text: string): void => {
    take(parseRecords(text));
    hasRecords = true;
  };

  /** Parses all complete records of a piece in one go. */
  const readList = (text: string): void => {
    const { lastComma, end } = scan(text);
    if (end >= 0) return endList(text, end);
    if (lastComma < 0) {
      rest += text;
      return;
    }
    takeRecords(rest + text.slice(0, lastComma));
    rest = text.slice(lastComma + 1);
  };

  const endList = (text: string, end: number): void => {
    const last = rest + text.slice(0, end);
    if (hasRecords || last.trim() !== '') takeRecords(last);
    rest = '';
    tail = text.slice(end);
    phase = 'after';
  };

  const readHead = (text: string): void => {
    const isTooLate = head.length > HEAD_CHARACTERS;
    head += text;
    const found = isTooLate ? null : opening.exec(head);
    if (!found) return;
    const list = head.slice(found[0].length);
    head = found[0];
    phase = 'within';
    readList(list);
  };

  return {
    push: (text) => {
      if (phase === 'before') readHead(text);
      else if (phase === 'within') readList(text);
      else tail += text;
    },

    end: () => {
      if (phase === 'within') throw new SyntaxError('The list does not end.');
      const json = parseJson(phase === 'before' ? head : `${head}${PLACEHOLDER}${tail}`);
      if (phase === 'before') return takeWhole(json, key, take);
      if (!isJsonObject(json)) return [];
      const list = json[key];
      if (!Array.isArray(list) || list.length !== 1 || list[0] !== PLACEHOLDER)
        throw new SyntaxError(`The list of ${key} is there twice.`);
      return { ...json, [key]: [] };
    },
  };
};
