import 'server-only';

/**
 * Keeps a customer's page up to date: asks for it again while it is visible, counts ages, at once when it is visible again, and
 * says since when there is no answer. Only what differs is replaced, so that a screen reader goes on where it was; a lost
 * connection and the end are announced. It ends with the link. The page has all its texts.
 */
export const SCRIPT = `(() => {
const d = document, root = d.documentElement, net = d.getElementById('net');
const EVERY = 15000, LOST = 20000;
const main = d.querySelector('main');
let tag = root.dataset.tag, skew = main.dataset.now - Date.now();
let heard = Date.now(), failed = false, busy = false, timer = 0;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const clock = (timeZone) => { try { return new Date().toLocaleString('en', { timeZone }); } catch { return ''; } };
const query = new URLSearchParams(location.search);
query.delete('zone');
query.delete('again');
const differs = () => main.dataset.zone && zone && clock(zone) !== '' && clock(zone) !== clock(main.dataset.zone);
if (differs()) query.set('zone', zone);
const tick = () => {
  const now = Date.now() + skew;
  const ages = (main.dataset.ages || '').split('|');
  for (const each of main.querySelectorAll('[data-age]')) {
    const s = Math.max(0, Math.floor((now - each.dataset.age) / 1000));
    const [form, n] = s < 60 ? [0, s] : s < 3600 ? [1, s / 60] : s < 86400 ? [2, s / 3600] : s < 172800 ? [3, 1] : [4, s / 86400];
    const text = ages[form].replace('#', Math.floor(n));
    if (each.textContent !== text) each.textContent = text;
  }
  for (const each of main.querySelectorAll('[data-until]'))
    if (now >= each.dataset.until) { each.textContent = each.dataset.was; each.className = 'was'; }
  const isLost = failed && (!navigator.onLine || Date.now() - heard > LOST);
  if ((net.textContent === '') === isLost) {
    net.textContent = isLost
      ? net.dataset.lost.replace('#', new Date(heard + skew).toLocaleTimeString(root.lang, { hour: 'numeric', minute: '2-digit' }))
      : '';
  }
};
const patch = (was, is) => {
  if (was.isEqualNode(is)) return;
  if (was.nodeName !== is.nodeName) return was.replaceWith(d.adoptNode(is));
  if (was.nodeType !== 1) return void (was.data = is.data);
  for (const { name } of [...was.attributes]) if (!is.hasAttribute(name)) was.removeAttribute(name);
  for (const { name, value } of is.attributes) was.setAttribute(name, value);
  const [held, given] = [[...was.childNodes], [...is.childNodes]];
  given.forEach((each, i) => held[i] ? patch(held[i], each) : was.append(d.adoptNode(each)));
  for (const each of held.slice(given.length)) each.remove();
};
const show = (text) => {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const next = page.querySelector('main');
  if (!next) throw new Error('No page.');
  patch(main, next);
  tag = page.documentElement.dataset.tag;
  d.title = page.title;
};
const ask = async () => {
  clearTimeout(timer);
  if (busy || d.hidden) return;
  busy = true;
  try {
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), 10000);
    const answer = await fetch(location.pathname + '?' + query, { cache: 'no-store', credentials: 'omit', headers: tag ? { 'if-none-match': tag } : {}, signal: stop.signal });
    if (answer.status !== 304) {
      if (!answer.ok && answer.status !== 404 && answer.status !== 410) throw new Error(String(answer.status));
      show(await answer.text());
    }
    clearTimeout(late);
    const date = Date.parse(answer.headers.get('date'));
    if (date) skew = date - Date.now();
    heard = Date.now();
    failed = false;
  } catch { failed = true; }
  busy = false;
  tick();
  if (main.dataset.now) timer = setTimeout(ask, EVERY);
  else {
    clearInterval(ticking);
    net.className = 'said';
    net.textContent = main.querySelector('h1').textContent;
  }
};
const wake = () => { if (main.dataset.now) { tick(); void ask(); } };
const ticking = setInterval(tick, 1000);
d.addEventListener('visibilitychange', wake);
addEventListener('online', wake);
addEventListener('offline', () => { failed = true; if (main.dataset.now) tick(); });
addEventListener('pageshow', (event) => { if (event.persisted) wake(); });
if (query.has('zone')) wake();
else timer = setTimeout(ask, EVERY);
})();`;
