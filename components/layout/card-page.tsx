import type { ReactNode } from 'react';
import { BrandSign } from '../ui/brand-sign';
import styles from './card-page.module.css';

interface CardPageProps {
  head: string;
  children: ReactNode;
  /** It is for a form: narrower, and on a phone the whole screen. */
  isForm?: boolean;
  /** It stands in the frame of a fleet's pages, which is the main part of the document itself. */
  isFramed?: boolean;
}

/** A page that is one card in the middle, under our name where no frame says it. */
export const CardPage = ({ head, children, isForm = false, isFramed = false }: CardPageProps) => {
  const Page = isFramed ? 'div' : 'main';
  return (
    <Page className={styles.page} data-form={isForm} data-framed={isFramed}>
      <div className={styles.card}>
        {isFramed ? null : <Brand />}
        <h1 className={styles.head}>{head}</h1>
        {children}
      </div>
    </Page>
  );
};

const Brand = () => (
  <div className={styles.brand}>
    <BrandSign />
    Linehaul
  </div>
);
