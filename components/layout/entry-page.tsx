'use client';

import { Box, Button, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { Link } from '@/components/ui/link';
import { useRouter } from 'next/navigation';
import { useEffect, useTransition, type ReactNode } from 'react';
import { forgetCopies } from '@/lib/browser/owner';
import { ProblemNote } from '../ui/problem-note';
import { CardPage } from './plain-page';
import styles from './plain-page.module.css';

interface EntryPageProps {
  head: string;
  lead?: ReactNode;
  /** Shows a warning over plain HTTP from another machine, which does not prevent signing in. */
  isUnencrypted?: boolean;
  children: ReactNode;
}

/** A page for visitors who are not signed in: one card, one form. What this browser keeps of an earlier user is deleted. */
export const EntryPage = ({ head, lead, isUnencrypted = false, children }: EntryPageProps) => {
  // Until hydration it is not known.
  const blocksCookies = useMounted() && !navigator.cookieEnabled;
  useEffect(() => {
    void forgetCopies();
  }, []);
  return (
    <CardPage head={head} isForm>
      {lead === undefined ? null : <Lead>{lead}</Lead>}
      {blocksCookies ? <Warning>{NO_COOKIES}</Warning> : null}
      {isUnencrypted ? <Warning>{UNENCRYPTED}</Warning> : null}
      {children}
    </CardPage>
  );
};

const NO_COOKIES =
  'This browser blocks cookies of this site, so you cannot sign in. Allow them in its settings, then reload this page.';
const UNENCRYPTED =
  'This connection is not known to be encrypted. Others on the network could read what you type, and take over your session. Ask the person who runs the server for an https:// address.';

const Warning = ({ children }: { children: string }) => (
  <Box mt={16}>
    <ProblemNote role="note">{children}</ProblemNote>
  </Box>
);

interface LineProps {
  role?: 'status';
  children: ReactNode;
}

export const Lead = (props: LineProps) => <Text mt={8} c="dimmed" fz={15} lh={1.5} {...props} />;

export const Note = (props: LineProps) => <Text inherit mt={16} c="dimmed" lh={1.5} {...props} />;

export const EntryLink = (props: { href: string; children: string }) => (
  <Link prefetch={false} className={styles.entryLink} {...props} />
);

const RETRY_MS = 5000;

/** Requests the page from the server again, at intervals and when pressed. */
export const Retry = () => {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    const timer = setInterval(() => router.refresh(), RETRY_MS);
    return () => clearInterval(timer);
  }, [router]);

  return (
    <>
      <Button size="md" loading={isPending} onClick={() => startTransition(() => router.refresh())}>
        Try now
      </Button>
      <Text span inherit c="dimmed">
        Linehaul keeps trying.
      </Text>
    </>
  );
};
