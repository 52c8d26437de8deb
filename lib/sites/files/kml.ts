import { kml } from '@tmcw/togeojson';
import { escapeXml } from '@/lib/base/text/text';
import type { Site, SiteShape } from '@/lib/rules/site';
import { toProperties, type FileDefaults } from './candidate';
import type { ReadSites } from './csv';
import { readFeatures } from './geojson';

/** The elements that the library marks as other than placemarks, by its mark. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['groundoverlay', 'GroundOverlay'],
  ['networklink', 'NetworkLink'],
]);

/** The sites of a KML document, in a browser; a text: why it cannot be read. */
export const readKml = (text: string, defaults: FileDefaults): ReadSites | string => {
  const parsed = new DOMParser().parseFromString(text, 'text/xml');
  const error = parsed.querySelector('parsererror')?.textContent;
  if (error != null)
    return `The file is not XML that can be read${toErrorPlace(error)}. Export it again as KML or GeoJSON.`;
  const { localName, prefix } = parsed.documentElement;
  if (localName !== 'kml')
    return `The file is not KML: it begins with <${localName}>. Export it as KML or GeoJSON.`;
  // The library knows the names of elements without a prefix alone.
  if (prefix !== null) return readKml(text.replace(new RegExp(`(</?)${prefix}:`, 'g'), '$1'), defaults);
  const features = kml(parsed).features.map((feature) => ({
    feature,
    other: OTHERS.get(String(feature.properties?.['@geometry-type'])),
  }));
  const places = features.flatMap(({ feature, other }) => (other === undefined ? [feature] : []));
  const others = [...new Set(features.flatMap(({ other }) => other ?? []))];
  if (places.length === 0 && others.includes('NetworkLink'))
    return 'The file has no places of its own: it links to a file elsewhere (NetworkLink). Open it in Google Earth, and save the places themselves.';
  return {
    candidates: readFeatures(places, 'Placemark', defaults),
    warnings: others.map((other) => `What the file has as ${other} is no site, and is not read.`),
  };
};

/** The line of an error, as browsers give it. */
const toErrorPlace = (error: string): string => {
  const line = /\bline(?: number)? (\d+)/i.exec(error)?.[1];
  return line === undefined ? '' : `: it has an error in line ${line}`;
};

/** "#rrggbb" as KML has it: opacity, blue, green, red. */
const toKmlColor = (color: string, alpha: string): string =>
  `${alpha}${color.slice(5, 7)}${color.slice(3, 5)}${color.slice(1, 3)}`;

const toGeometry = (shape: SiteShape): string => {
  if (shape.type === 'circle') return `<Point><coordinates>${shape.lng},${shape.lat}</coordinates></Point>`;
  const ring = [...shape.corners, shape.corners[0]!].map(([lat, lng]) => `${lng},${lat}`).join(' ');
  return `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
};

const toPlacemark = (site: Site): string => {
  const { shape, color, name } = site;
  const radius = shape.type === 'circle' ? { radius_m: String(shape.radiusM) } : {};
  const data = Object.entries({ ...radius, ...toProperties(site) }).map(
    ([property, text]) => `<Data name="${property}"><value>${escapeXml(text)}</value></Data>`,
  );
  return [
    `<Placemark><name>${escapeXml(name)}</name>`,
    `<Style><LineStyle><color>${toKmlColor(color, 'ff')}</color><width>2</width></LineStyle>`,
    `<PolyStyle><color>${toKmlColor(color, '33')}</color></PolyStyle></Style>`,
    `<ExtendedData>${data.join('')}</ExtendedData>`,
    `${toGeometry(shape)}</Placemark>`,
  ].join('\n');
};

/** OGC KML 2.2; a circle is a point with the value radius_m. */
export const writeKml = (sites: readonly Site[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Sites</name>',
    ...sites.map(toPlacemark),
    '</Document></kml>\n',
  ].join('\n');
