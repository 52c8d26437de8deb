'use client';

import { PasswordInput, TextInput } from '@mantine/core';
import { setUp } from '@/lib/queries/sign-in';
import { MIN_PASSWORD_CHARACTERS } from '@/lib/wire/sign-in';
import { ClearWarning } from './clear-warning';
import { EntryForm } from './entry-form';
import { EntryPage } from './entry-page';

const FIELDS = ['code', 'name', 'email', 'password'];

/** The first run: who has the code that the server printed becomes the first manager. */
export const SetUpPage = ({ isInTheClear }: { isInTheClear: boolean }) => (
  <EntryPage
    head="Set up Linehaul"
    lead="You become the first manager, and can then invite others. The server printed a code when it started: it stands in its terminal or log."
  >
    {isInTheClear ? <ClearWarning /> : null}
    <EntryForm
      fields={FIELDS}
      action="Make the account"
      send={async ({ code = '', name = '', email = '', password = '' }) => {
        await setUp({ code, name, email, password });
        window.location.assign('/');
      }}
    >
      {(faults) => (
        <>
          <TextInput
            name="code"
            label="Code"
            size="md"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            required
            error={faults.code}
          />
          <TextInput
            name="name"
            label="Your name"
            size="md"
            autoComplete="name"
            required
            error={faults.name}
          />
          <TextInput
            name="email"
            type="email"
            label="E-mail address"
            size="md"
            autoComplete="username"
            spellCheck={false}
            required
            error={faults.email}
          />
          <PasswordInput
            name="password"
            label="Password"
            description={`At least ${MIN_PASSWORD_CHARACTERS} characters`}
            size="md"
            autoComplete="new-password"
            required
            error={faults.password}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          />
        </>
      )}
    </EntryForm>
  </EntryPage>
);
