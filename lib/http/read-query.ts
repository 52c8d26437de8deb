import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { ZodType } from 'zod';

/** The validated query of a request; a repeated name is refused. @throws AppError 'bad-input' */
export const readQuery = <T>(request: Request, schema: ZodType<T>): T => {
  const { searchParams } = new URL(request.url);
  const names = [...searchParams.keys()];
  if (new Set(names).size !== names.length)
    throw new AppError('bad-input', { detail: 'A name is given twice.' });
  const parsed = schema.safeParse(Object.fromEntries(searchParams));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad-input', { detail: faults[0]?.message ?? 'The query cannot be used.', faults });
};
