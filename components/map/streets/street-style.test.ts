import { GeomType } from 'protomaps-leaflet';
import { expect, it } from 'vitest';
import { toRoute } from './street-style';

const roadOf = (props: Record<string, string>) => ({
  props,
  geom: [],
  geomType: GeomType.Line,
  bbox: { minX: 0, minY: 0, maxX: 1, maxY: 1 },
  numVertices: 0,
});

it.each([
  [{ ref: 'I 25', network: 'US:I' }, 'I-25'],
  [{ shield_text: '25', network: 'US:I' }, 'I-25'],
  [{ shield_text: '287', network: 'US:US' }, 'US 287'],
  [{ ref: 'US 40;US 287' }, 'US 40'],
  [{ ref: 'CO 470', network: 'US:CO' }, 'CO 470'],
  [{ ref: 'Private Haul Road' }, null],
  [{ name: 'Main Street' }, null],
])('numbers the road %j as %s', (props, route) => {
  expect(toRoute(roadOf(props as Record<string, string>))).toBe(route);
});
