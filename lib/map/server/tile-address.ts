import 'server-only';
import { AppError } from '@/lib/base/http/problems';

/** Deeper than any archive, and within the tile ids of the format. */
const MAX_ZOOM = 22;

/** The numbers of a tile's address. @throws AppError 'malformed-address' */
export const requireTile = (params: {
  z: string;
  x: string;
  y: string;
}): { z: number; x: number; y: number } => {
  const [z, x, y] = [params.z, params.x, params.y].map((text) =>
    /^\d{1,7}$/.test(text) ? Number(text) : NaN,
  );
  if (z! <= MAX_ZOOM && x! < 2 ** z! && y! < 2 ** z!) return { z: z!, x: x!, y: y! };
  throw new AppError('malformed-address');
};
