import type { Metadata } from 'next';
import { UsersPage } from '@/components/users/users-page';
import { shellPage } from '../shell-page';

export const metadata: Metadata = { title: 'Users' };

export default shellPage('manager', UsersPage);
