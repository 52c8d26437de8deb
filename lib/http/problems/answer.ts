import 'server-only';
import type { Problem } from '@/lib/wire/problem';

/** What a browser may read of an error, and how long it should wait before it asks again. */
export interface Answer {
  problem: Problem;
  retryAfterS?: number;
}

/**
 * By an error's `name`, what is answered to it; a function where that depends on what the error says. What is in no
 * table is a fault of ours.
 */
export type Answers = Readonly<Record<string, Answer | ((error: never) => Answer)>>;

/** An answer by its status, its title, the code that pages know it by, and a sentence for whoever reads it. */
export const toAnswer = (
  status: number,
  title: string,
  code: string,
  detail?: string,
  retryAfterS?: number,
): Answer => ({
  problem: { type: 'about:blank', title, status, code, ...(detail === undefined ? {} : { detail }) },
  ...(retryAfterS === undefined ? {} : { retryAfterS }),
});

/** The same for a form of which one field is wrong. */
export const toFieldAnswer = (
  field: string,
  status: number,
  title: string,
  code: string,
  detail: string,
): Answer => {
  const { problem } = toAnswer(status, title, code, detail);
  return { problem: { ...problem, faults: [{ field, message: detail }] } };
};

/** The same for input, with what is wrong by field. */
export const toInputAnswer = (detail: string, faults: Problem['faults']): Answer => {
  const { problem } = toAnswer(400, 'Input that cannot be used', 'bad-input', detail);
  return { problem: { ...problem, faults } };
};
