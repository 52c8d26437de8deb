import 'server-only';
import type { Mail } from './mailer';

const DAY = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'full',
  timeStyle: 'long',
  timeZone: 'UTC',
});

interface LinkMail {
  to: string;
  link: string;
  expiresAtMs: number;
}

/** The mail of an invitation, without the sender's name, which an attacker could fill with text of their own. */
export const toInvitationMail = ({ to, link, expiresAtMs }: LinkMail): Mail => ({
  to,
  subject: 'Your invitation to Linehaul',
  text: [
    'You are invited to Linehaul, the live map of your fleet.',
    `Open this link to choose your name and a password:\n${link}`,
    `It can be used once, until ${DAY.format(expiresAtMs)}. Whoever has it can join in your place: pass it on to nobody.`,
  ].join('\n\n'),
});

/** The mail of a password reset. */
export const toResetMail = ({ to, link, expiresAtMs }: LinkMail): Mail => ({
  to,
  subject: 'A new password for Linehaul',
  text: [
    `Open this link to choose a new password for ${to}:\n${link}`,
    `It can be used once, until ${DAY.format(expiresAtMs)}, and ends every session you have.`,
    'Did you not ask for it? Then leave this mail alone: your password stays as it is.',
  ].join('\n\n'),
});
