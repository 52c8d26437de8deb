import type { Metadata } from 'next';
import { AuditPage } from '@/components/audit/audit-page';
import { shellPage } from '../shell-page';

export const metadata: Metadata = { title: 'Audit log' };

export default shellPage('manager', AuditPage);
