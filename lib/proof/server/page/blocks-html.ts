import 'server-only';
import { html as h, raw } from 'hono/html';
import { escapeXml } from '@/lib/base/text/text';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import { HEIGHT, WIDTH } from '@/lib/shares/server/page/frame';
import type { Block, MapBlock } from '../../blocks';
import { draw, type Drawing } from './drawing';

export type Html = ReturnType<typeof h>;

const round = (value: number): number => Math.round(value * 10) / 10;

const toSvg = ({ ground, circle, trail, points, scale }: Drawing): string => {
  const base = ground
    .map(({ name, d }) =>
      name === 'roads'
        ? `<path class="rc" d="${d}"/><path class="ro" d="${d}"/>`
        : `<path class="${name}" d="${d}"/>`,
    )
    .join('');
  const edge = circle
    ? `<circle class="ar" cx="${round(circle.x)}" cy="${round(circle.y)}" r="${round(circle.r)}"/>`
    : '';
  const line = trail.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
  const dots = trail
    .map(({ x, y }) => `<circle class="fx" cx="${round(x)}" cy="${round(y)}" r="4"/>`)
    .join('');
  const marks = points
    .map(({ x, y, label, labelY }) => {
      const isLeft = x > WIDTH * 0.6;
      return `<circle class="sp nx" cx="${round(x)}" cy="${round(y)}" r="9"/><text class="sn" x="${round(x + (isLeft ? -16 : 16))}" y="${round(labelY)}"${isLeft ? ' text-anchor="end"' : ''}>${escapeXml(label)}</text>`;
    })
    .join('');
  const bar = `<path class="bar" d="M24 ${HEIGHT - 34}v10h${round(scale.length)}v-10"/><text x="34" y="${HEIGHT - 44}">${scale.text}</text>`;
  return `${base}${edge}<polyline class="tl" points="${line}"/>${dots}${marks}${bar}`;
};

const renderMap = (map: Basemap, block: MapBlock): Html => {
  const drawing = draw(map, block);
  if (drawing === null) return h`<p>${block.caption}</p>`;
  return h`<figure><svg role="img" aria-label="${block.caption}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${raw(toSvg(drawing))}</svg><figcaption>${block.caption}</figcaption></figure>`;
};

const renderBlock = (map: Basemap, block: Block, lang: Html | ''): Html => {
  switch (block.type) {
    case 'heading':
      return h`<h2>${block.text}</h2>`;
    case 'text':
      return h`<p class="par"${lang}>${block.text}</p>`;
    case 'facts':
      return h`<dl>${block.facts.map(
        ({ label, value, note }) =>
          h`<div><dt>${label}</dt><dd${lang}>${value}${note === undefined ? '' : h`<small>${note}</small>`}</dd></div>`,
      )}</dl>`;
    case 'table':
      return h`<div class="wide" tabindex="0" role="region" aria-label="${block.caption}"><table><caption>${block.caption}</caption><thead><tr>${block.columns.map(
        (column) => h`<th scope="col">${column}</th>`,
      )}</tr></thead><tbody${lang}>${block.rows.map((row) => h`<tr>${row.map((cell) => h`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
    case 'map':
      return renderMap(map, block);
  }
};

/** The parts of a document as HTML. `language`: that of what they say, if it is not that of the page. */
export const renderBlocks = (
  map: Basemap,
  blocks: readonly Block[],
  language: string | null = null,
): Html => {
  const lang = language === null ? '' : h` lang="${language}"`;
  return h`${blocks.map((block) => renderBlock(map, block, lang))}`;
};
