import { useEffect, useState } from 'react';
import { useAnnounce } from './announcer';

const SHOWN_MS = 1500;

/** Over plain HTTP from another machine there is no `navigator.clipboard`. */
const copySelected = (text: string): boolean => {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  // In view, because the browser scrolls to what gets the focus.
  area.style.cssText = 'position: fixed; top: 0; opacity: 0';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
};

/** What a request is still to answer is copied at once, because WebKit permits it only during a click. */
const writeClipboard = (text: string | Promise<string>): Promise<void> =>
  typeof text === 'string'
    ? navigator.clipboard.writeText(text)
    : navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text.then((known) => new Blob([known], { type: 'text/plain' })) }),
      ]);

const copyText = async (text: string | Promise<string>): Promise<boolean> => {
  try {
    await writeClipboard(text);
    return true;
  } catch {
    return copySelected(await text);
  }
};

/**
 * Copies a text, which `what` names ("VIN"), also one that is still awaited, and announces whether that worked;
 * `outcome` is null again after a moment. It rejects as the awaited text does.
 */
export const useCopy = (what: string) => {
  const [outcome, setOutcome] = useState<'Copied' | 'Could not copy' | null>(null);
  const announce = useAnnounce();
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (text: string | Promise<string>): Promise<boolean> => {
    const isCopied = await copyText(text);
    setOutcome(isCopied ? 'Copied' : 'Could not copy');
    announce(isCopied ? `${what} copied` : 'Could not copy');
    return isCopied;
  };
  return { outcome, copy };
};
