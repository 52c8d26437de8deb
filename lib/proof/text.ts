import type { DocumentKind } from './content';

export const KIND_LABELS: Readonly<Record<DocumentKind, string>> = {
  'detention-statement': 'Detention statement',
  'position-certificate': 'Position certificate',
};
