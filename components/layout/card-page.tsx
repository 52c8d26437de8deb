'use client';

import { Box, Button, Group, Stack, Text } from '@mantine/core';
import Link from 'next/link';
import { useParams, useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';
import type { ReactNode } from 'react';
import { forgetCopies } from '@/lib/offline/storage';
import { ProblemNote } from '../ui/problem-note';
import styles from './card-page.module.css';
import { BrandSign } from './shell';

interface CardPageProps {
  head: string;
  children: ReactNode;
  /** For a form: narrower, and on a phone the whole screen. */
  isForm?: boolean;
  /** Within the frame of a fleet's pages, which contains the document's main element. */
  isFramed?: boolean;
}

/** A page of one centered card, with our name on it unless the frame has it. */
const CardPage = ({ head, children, isForm = false, isFramed = false }: CardPageProps) => {
  const Page = isFramed ? 'div' : 'main';
  return (
    <Page className={styles.page} data-form={isForm} data-framed={isFramed}>
      <div className={styles.card}>
        {isFramed ? null : (
          <Group gap={9} mb={24} fz={17} fw={750} lts="-0.02em">
            <BrandSign />
            Linehaul
          </Group>
        )}
        <h1 className={styles.head}>{head}</h1>
        {children}
      </div>
    </Page>
  );
};

interface EntryPageProps {
  head: string;
  lead?: ReactNode;
  /** Shows a warning over plain HTTP from another machine, which does not prevent signing in. */
  isUnencrypted?: boolean;
  children: ReactNode;
}

/** A page for visitors who are not signed in: one card, one form. What this browser keeps of an earlier user is deleted. */
export const EntryPage = ({ head, lead, isUnencrypted = false, children }: EntryPageProps) => {
  useEffect(() => {
    forgetCopies().catch(reportError);
  }, []);
  return (
    <CardPage head={head} isForm>
      {lead === undefined ? null : <Lead>{lead}</Lead>}
      {isUnencrypted ? (
        <Box mt={16}>
          <ProblemNote role="note">
            This connection is not known to be encrypted. Others on the network could read what you type, and
            take over your session. Ask the person who runs the server for an https:// address.
          </ProblemNote>
        </Box>
      ) : null}
      {children}
    </CardPage>
  );
};

interface LineProps {
  role?: 'status';
  children: ReactNode;
}

/** What an entry page is for, in a sentence. */
export const Lead = (props: LineProps) => <Text mt={8} c="dimmed" fz={15} lh={1.5} {...props} />;

/** A remark on an entry page. */
export const Note = (props: LineProps) => <Text inherit mt={16} c="dimmed" lh={1.5} {...props} />;

/** A link to another entry page, on a line of its own. */
export const EntryLink = (props: { href: string; children: string }) => (
  <Link prefetch={false} className={styles.link} {...props} />
);

interface PlainPageProps {
  head: string;
  children: ReactNode;
  /** Replaces the link. */
  actions?: ReactNode;
  link?: { href: string; label: string };
  isFramed?: boolean;
}

const FLEET_LINK = { href: '/', label: 'Open the fleet map' };

/** A page with one message: what is wrong with an address, or what prevents the application from working. */
export const PlainPage = ({ head, children, actions, link = FLEET_LINK, isFramed }: PlainPageProps) => (
  <CardPage head={head} isFramed={isFramed}>
    <Stack className={styles.text} gap={10} mt={10} c="dimmed" fz={15} lh={1.5}>
      {children}
    </Stack>
    <Group gap="8px 16px" mt={20}>
      {actions ?? (
        <Button component={Link} href={link.href} prefetch={false} size="md">
          {link.label}
        </Button>
      )}
    </Group>
  </CardPage>
);

const EXCERPT_CHARACTERS = 60;

/** A parameter of the page's address, for a message about what is wrong with it. */
export const AddressParameter = ({ name }: { name: string }) => {
  const text = useParams<Record<string, string>>()?.[name] ?? '';
  const shown = decodeReadable(text);
  return <b>“{shown.length > EXCERPT_CHARACTERS ? `${shown.slice(0, EXCERPT_CHARACTERS)}…` : shown}”</b>;
};

const decodeReadable = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // An incomplete escape is shown as it was typed.
    if (error instanceof URIError) return text;
    throw error;
  }
};

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
