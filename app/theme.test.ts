import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toContrast } from '@/testing/contrast';

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');

/** The hex colors that a rule declares. */
const readTokens = (selector: string): Map<string, string> => {
  const start = css.indexOf(`${selector} {`);
  const rule = css.slice(start, css.indexOf('\n}', start));
  return new Map([...rule.matchAll(/--lh-([a-z-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1]!, m[2]!]));
};

const STATUSES = ['moving', 'stopped', 'late', 'silent', 'unknown', 'flag'];
const GROUNDS = ['surface', 'ground', 'hover', 'selected'];

describe.each([
  ['light', ':root'],
  ['dark', ":root[data-mantine-color-scheme='dark']"],
])('the %s theme', (_, selector) => {
  const tokens = readTokens(selector);
  const contrast = (a: string, b: string) => {
    const [front, back] = [tokens.get(a), tokens.get(b)];
    if (!front || !back) throw new Error(`No color for ${front ? b : a}.`);
    return toContrast(front, back);
  };

  it('names every color that the interface uses', () => {
    const road = [
      'moving',
      'stopped',
      'late',
      'silent',
      'unknown',
      'flag',
      'accent',
      'ground',
      'surface',
      'line',
    ];
    for (const name of [...road, 'text', 'dim', 'water', 'land', 'road', 'border-line']) {
      expect(tokens.has(name), name).toBe(true);
    }
  });

  it.each(['text', 'dim', 'accent-text', ...STATUSES.map((name) => `${name}-text`)])(
    'writes %s readably on every ground (4.5:1)',
    (name) => {
      for (const ground of GROUNDS)
        expect(contrast(name, ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('shows text readably on fills for good, doubtful and bad (4.5:1)', () => {
    expect(contrast('on-accent', 'accent')).toBeGreaterThanOrEqual(4.5);
    expect(contrast('on-accent', 'accent-hover')).toBeGreaterThanOrEqual(4.5);
    for (const [front, back] of [
      ['moving-text', 'good-ground'],
      ['late-text', 'warn-ground'],
      ['silent-text', 'bad-ground'],
      ['text', 'warn-ground'],
      ['text', 'bad-ground'],
      ['text', 'land'],
    ] as const) {
      expect(contrast(front, back), `${front} on ${back}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each([...STATUSES, 'accent'])('paints %s visibly on land and in the list (3:1)', (name) => {
    for (const ground of ['land', ...GROUNDS])
      expect(contrast(name, ground), ground).toBeGreaterThanOrEqual(3);
  });

  it('shows the edges of controls visibly (3:1)', () => {
    for (const ground of ['surface', 'ground']) expect(contrast('edge', ground)).toBeGreaterThanOrEqual(3);
  });
});

it('sets sizes of text, radii and gaps by tokens alone', () => {
  const files = readdirSync('components', { recursive: true })
    .map((name) => `components/${String(name)}`)
    .filter((file) => file.endsWith('.css'));
  const others = ['app/theme.css', ...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*(font-size|border-radius|(?:row-|column-)?gap): ([^;]+);/gm)]
      .filter(([, , value]) => value!.replaceAll(/var\(--[a-z0-9-]+\)|\b0\b|inherit/g, '').trim() !== '')
      .map(([rule]) => `${file}: ${rule.trim()}`),
  );
  expect(others).toEqual([]);
});

it('styles each Mantine component in use', () => {
  const styles = readFileSync('app/mantine.css', 'utf8');
  const files = ['app', 'components'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => `${folder}/${String(name)}`),
  );
  const imported = files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(
        ([, names]) => names!.split(',').map((name) => name.trim()),
      ),
    );
  const styled = [...new Set(imported)].filter((name) =>
    existsSync(`node_modules/@mantine/core/styles/${name}.layer.css`),
  );
  expect(styled).toContain('Button');
  expect(styled.filter((name) => !styles.includes(`/${name}.layer.css`))).toEqual([]);
});
