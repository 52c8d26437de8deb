import type { Metadata } from 'next';
import { AccountPage } from '@/components/profile/profile-page';
import { shellPage } from '../shell-page';

export const metadata: Metadata = { title: 'Your account' };

export default shellPage('account', AccountPage);
