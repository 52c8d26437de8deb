import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

/** The one live region: results of the user’s actions, changes of the connection and new alerts, never other results of polls. */
export const Announcer = ({ children }: { children: ReactNode }) => {
  const [message, setMessage] = useState({ text: '', count: 0 });
  const announce = useCallback((text: string) => setMessage(({ count }) => ({ text, count: count + 1 })), []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="visually-hidden" role="status" aria-live="polite">
        {/* A new key announces an equal text again. */}
        <span key={message.count}>{message.text}</span>
      </div>
    </AnnounceContext>
  );
};

export const useAnnounce = () => useContext(AnnounceContext);
