/** Whether a page scrolls without need, and whether each overlay of it is uncovered. */
import { expect, type Page } from '@playwright/test';

export const DESK_WIDTHS: readonly number[] = [1280, 1440, 1920];
export const PHONE_WIDTHS: readonly number[] = [390];
const HEIGHT = 844;

/** Runs in the page. The document's needless scrolling, and each overlay whose corner or center is covered or cut off. */
export const findLayoutFaults = (): string[] => {
  const faults: string[] = [];
  // On paper nothing scrolls; print.spec.ts looks at it.
  if (matchMedia('print').matches) return [];
  const root = document.documentElement;
  // A card that is taller than the window scrolls with the document.
  const contentBottom = Math.ceil(
    (document.querySelector('main')?.getBoundingClientRect().bottom ?? 0) + scrollY,
  );
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = root;
  if (scrollWidth > clientWidth || scrollHeight > Math.max(clientHeight, contentBottom))
    faults.push(`the page of ${scrollWidth} × ${scrollHeight} scrolls in ${clientWidth} × ${clientHeight}`);

  const modal = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].pop();
  const always = '[role=menu], [role=dialog]';
  const selector = `${always}, [role=tooltip], [role=alert], [role=status], [aria-label=Notices]`;
  for (const overlay of (modal ?? document).querySelectorAll<HTMLElement>(selector)) check(overlay);
  if (modal instanceof HTMLElement) check(modal);
  return faults;

  function check(overlay: HTMLElement): void {
    const { left, top, right, bottom, width, height } = overlay.getBoundingClientRect();
    const { position, visibility, pointerEvents } = getComputedStyle(overlay);
    const isOverlay = overlay.matches(always) || position === 'absolute' || position === 'fixed';
    if (!isOverlay || visibility === 'hidden' || width < 2 || height < 2) return;
    // What lets the pointer through would not be hit itself.
    if (pointerEvents === 'none') overlay.style.pointerEvents = 'auto';
    const inset = Math.min(8, width / 2, height / 2);
    const points = {
      'top left': [left + inset, top + inset],
      'top right': [right - inset, top + inset],
      'bottom left': [left + inset, bottom - inset],
      'bottom right': [right - inset, bottom - inset],
      center: [(left + right) / 2, (top + bottom) / 2],
    };
    const covered = Object.entries(points).flatMap(([name, [x, y]]) => {
      const hit = document.elementFromPoint(x!, y!);
      return hit !== null && overlay.contains(hit)
        ? []
        : [`${name} by ${hit === null ? 'the edge of the window' : hit.outerHTML.slice(0, 90)}`];
    });
    if (pointerEvents === 'none') overlay.style.pointerEvents = '';
    const name = overlay.getAttribute('aria-label') ?? overlay.textContent.slice(0, 40);
    if (covered.length > 0)
      faults.push(`${overlay.role ?? overlay.tagName} “${name}” is covered at ${covered.join(', ')}`);
  }
};

const PAUSE_MS = 100;
/** Checks in frames of their own: a popup follows its button, and a busy machine draws late. */
const CHECKS = 4;

/** Runs in the page. Reports what stays at fault for a few checks, after each change of the document. */
const watchDocument = (find: typeof findLayoutFaults, pauseMs: number, checks: number): void => {
  const { reportLayout } = window as unknown as { reportLayout: (fault: string) => void };
  const seen = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => schedule());
  const schedule = (): void => void (timer ??= setTimeout(() => requestAnimationFrame(check), pauseMs));
  const check = (): void => {
    timer = undefined;
    const faults = find();
    // The check itself changes styles for a moment.
    observer.takeRecords();
    for (const fault of seen.keys()) if (!faults.includes(fault)) seen.delete(fault);
    for (const fault of faults) {
      const times = (seen.get(fault) ?? 0) + 1;
      seen.set(fault, times);
      if (times === checks) reportLayout(fault);
      if (times < checks) schedule();
    }
  };
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  addEventListener('resize', schedule);
  addEventListener('load', schedule);
};

/** Watches the layout of each document that a page opens from here on. Returns the faults found so far. */
export const watchLayout = async (page: Page): Promise<() => string[]> => {
  const found: string[] = [];
  await page.exposeFunction('reportLayout', (fault: string) => void found.push(`${fault} (${page.url()})`));
  await page.addInitScript(`(${watchDocument})(${findLayoutFaults}, ${PAUSE_MS}, ${CHECKS})`);
  return () => [...new Set(found)];
};

/** Expects no fault of the layout as it is now, at each width and in both themes. */
export const expectSoundLayout = async (
  page: Page,
  widths: readonly number[] = [...DESK_WIDTHS, ...PHONE_WIDTHS],
): Promise<void> => {
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      await expect
        .poll(() => page.evaluate(findLayoutFaults), `${page.url()} at ${width} pixels in ${colorScheme}`)
        .toEqual([]);
    }
  }
  if (before !== null) await page.setViewportSize(before);
};

/** Widths of columns are fixed, and other rows than those in view may have longer texts. */
const SPARE_PX = 32;

/** Runs in the page. Columns of tables that cut a text while another column has as much room as that lacks. */
const findWastedWidth = (spare: number): string[] => {
  const widthOf = (cell: HTMLElement): number => {
    const [lefts, rights]: [number[], number[]] = [[], []];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const { currentNode: text } = texts;
      if (text.textContent!.trim() === '' || text.parentElement!.closest('.visually-hidden') !== null)
        continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const { left, right } of range.getClientRects()) {
        lefts.push(left);
        rights.push(right);
      }
    }
    return lefts.length === 0 ? 0 : Math.max(...rights) - Math.min(...lefts);
  };
  const cutOf = (cell: HTMLElement): number =>
    [cell, ...cell.querySelectorAll<HTMLElement>('*')]
      .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis')
      .reduce((most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth), 0);
  return [...document.querySelectorAll<HTMLTableElement>('main table')].flatMap((table) => {
    const rows = [...table.tBodies[0]!.rows];
    const columns = [...table.tHead!.rows[0]!.cells]
      .filter(({ clientWidth }) => clientWidth > 0)
      .map(({ cellIndex, innerText }) => {
        const cells = rows.flatMap(({ cells: { [cellIndex]: cell } }) => (cell ? [cell] : []));
        const rooms = cells.map((cell) => {
          const { paddingLeft, paddingRight } = getComputedStyle(cell);
          return cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - widthOf(cell);
        });
        return { name: innerText, cut: Math.max(0, ...cells.map(cutOf)), room: Math.min(...rooms) };
      });
    return columns.flatMap(({ name, cut }) => {
      const other = columns.find(({ room }) => cut > 1 && room > cut + spare);
      return other === undefined ? [] : [`${name} lacks ${cut} pixels, ${other.name} has ${other.room}`];
    });
  });
};

/** Expects that the tables of a page use their width before they cut a text, at each width of a desk. */
export const expectWidthUsed = async (page: Page): Promise<void> => {
  for (const width of DESK_WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await expect
      .poll(() => page.evaluate(findWastedWidth, SPARE_PX), `${page.url()} at ${width} pixels`)
      .toEqual([]);
  }
};
