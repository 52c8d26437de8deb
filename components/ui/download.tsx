import { Button, Group } from '@mantine/core';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useAnnounce } from '@/components/ui/announcer';
import { SMALL_BUTTON } from '@/components/ui/mantine-theme';
import { ProblemNote } from '@/components/ui/problem-note';
import { download, type DownloadProgress } from '@/lib/browser/download';

/** A shorter download needs no progress. */
const SHOWN_AFTER_MS = 400;

interface DownloadState {
  /** Null while none runs, or has run for long. */
  progress: DownloadProgress | null;
  problem: string | null;
}

const NONE: DownloadState = { progress: null, problem: null };

interface Download extends DownloadState {
  /** Saves a file of our own server; the download before is canceled. */
  start: (url: string) => void;
  cancel: () => void;
}

/**
 * A download with its progress, which ends with the component.
 *
 * @param starter the button that starts it, which has the focus again after it was canceled
 */
export const useDownload = (starter: RefObject<HTMLButtonElement | null>): Download => {
  const [state, setState] = useState(NONE);
  const controller = useRef<AbortController | null>(null);
  const announce = useAnnounce();
  useEffect(() => () => controller.current?.abort(), []);

  const run = async (url: string): Promise<void> => {
    controller.current?.abort();
    const { signal } = (controller.current = new AbortController());
    // The server may take long for the first byte.
    let latest: DownloadProgress = { bytes: 0, share: null };
    const shownAtMs = performance.now() + SHOWN_AFTER_MS;
    const show = (progress: DownloadProgress): void => {
      latest = progress;
      if (!signal.aborted && performance.now() >= shownAtMs) setState({ ...NONE, progress });
    };
    const timer = setTimeout(() => show(latest), SHOWN_AFTER_MS);
    setState(NONE);
    try {
      await download(url, { signal, onProgress: show });
      if (signal.aborted) return;
      setState(NONE);
      announce('Saved');
    } catch (error) {
      if (!signal.aborted) setState({ ...NONE, problem: (error as Error).message });
    } finally {
      clearTimeout(timer);
    }
  };
  const cancel = (): void => {
    controller.current?.abort();
    setState(NONE);
    announce('Canceled');
    starter.current?.focus();
  };
  return { ...state, start: (url) => void run(url), cancel };
};

/** "1.2 MB". */
const sizeText = (bytes: number): string =>
  bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** How far a download is, with a button that cancels it, and why it failed. */
export const DownloadStatus = ({ progress, problem, cancel }: Download) => {
  if (problem !== null) return <ProblemNote role="alert">{problem}</ProblemNote>;
  if (progress === null) return null;
  const { bytes, share } = progress;
  const percent = share === null ? '' : ` · about ${Math.round(share * 100)}%`;
  return (
    <Group gap={8} wrap="nowrap" c="dimmed" fz={13} role="group" aria-label="Download">
      <progress {...(share !== null && { value: share })} aria-label="Download" />
      <span>
        {sizeText(bytes)}
        {percent}
      </span>
      <Button {...SMALL_BUTTON} variant="default" onClick={cancel}>
        Cancel
      </Button>
    </Group>
  );
};
