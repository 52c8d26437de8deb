/** The sign (28 px) and the name of the application, in an element of the class `lh-brand`. */
export const Brand = () => (
  <>
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--lh-accent)" />
      <path d="M25.5 16 8 24.5 11.6 16 8 7.5z" fill="var(--lh-on-accent)" />
    </svg>
    <span>Linehaul</span>
  </>
);
