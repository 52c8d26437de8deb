import { z, isVisible } from '@/lib/base/zod';
import { LONGEST_TAG } from './schema';

/** A tag as it is stored: in lower case, with single spaces. */
export const tagSchema = z
  .string()
  .transform((tag) => tag.trim().replace(/\s+/g, ' ').toLowerCase())
  .pipe(
    z
      .string()
      .max(LONGEST_TAG, `A tag has at most ${LONGEST_TAG} characters.`)
      .regex(/[\p{L}\p{N}]/u, 'Give a tag with a letter or a digit.')
      // A comma separates tags in an address, quotes surround them in a search.
      .regex(/^[^",]*$/, 'A tag has no commas and no quotation marks.')
      .refine(isVisible, 'A tag has no invisible characters.'),
  );
