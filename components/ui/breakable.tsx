import { Fragment } from 'react';

/** After a sign, and never before it: "dana.dispatcher@", "northern-", "carriers.", "test". */
const AFTER_SIGN = /(?<=[@._+-])(?![@._+-])/;

/** An address, or a name like one: it breaks after its signs, and within a word only where that has no room. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(AFTER_SIGN).map((part, i) => (
    <Fragment key={i}>
      {i === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
