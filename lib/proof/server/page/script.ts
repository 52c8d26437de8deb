import 'server-only';

/**
 * `readAttachments(bytes)`: the files that a PDF carries, as texts. A file is a stream that its dictionary calls EmbeddedFile; it
 * stays one where another program saves the PDF again, unless that program leaves it out or encrypts it. What a hostile PDF can
 * have read is limited: so many files, each of at most so many bytes, also when it is unpacked.
 *
 * `toGiven(texts)`: the signed document among them; null: there is none, or more than one.
 */
export const READ_ATTACHMENTS = `
const MOST_FILES = 50, MOST_BYTES = 4000000, MOST_DICTIONARY = 4000;
const unpack = async (data) => {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new Error();
    }
    parts.push(value);
  }
};
const readAttachments = async (bytes) => {
  const latin = new TextDecoder('latin1').decode(bytes);
  const texts = [];
  let files = 0;
  for (const { index } of latin.matchAll(/\\/Type\\s*\\/EmbeddedFile\\b/g)) {
    if (++files > MOST_FILES) break;
    const before = latin.slice(Math.max(0, index - MOST_DICTIONARY), index);
    const after = latin.slice(index, index + MOST_DICTIONARY);
    if (!before.includes(' obj') || !after.includes('stream')) continue;
    const at = index + after.indexOf('stream');
    const dictionary = latin.slice(index - before.length + before.lastIndexOf(' obj'), at);
    const start = at + (latin[at + 6] === '\\r' ? 8 : 7);
    const length = /\\/Length\\s+(\\d+)(?!\\s+\\d+\\s+R)/.exec(dictionary);
    const end = length ? start + Number(length[1]) : latin.indexOf('endstream', start);
    if (end < start || end > bytes.length || end - start > MOST_BYTES) continue;
    // The line end before "endstream" is not part of the stream.
    for (const cut of length ? [0] : [0, 1, 2]) {
      const data = bytes.subarray(start, end - cut);
      try {
        texts.push(/\\/FlateDecode/.test(dictionary) ? await unpack(data) : new TextDecoder('utf-8', { fatal: true }).decode(data));
        break;
      } catch { /* It ends elsewhere, is too large, or is no text. */ }
    }
  }
  return texts;
};
const toGiven = (texts) => {
  const all = [...new Set(texts.map((text) => text.trim()))];
  const signed = all.filter((text) => /^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/.test(text));
  const contents = all.filter((text) => text.includes('"linehaul-proof/'));
  if (signed.length !== 1 || contents.length > 1) return null;
  return contents.length === 0 ? signed[0] : '{"document":' + contents[0] + ',"jws":"' + signed[0] + '"}';
};`;

/** Lets a PDF or a file of JSON be dropped or chosen; it is read in the browser, and only what was signed is sent. */
export const VERIFY_SCRIPT = `(() => {
${READ_ATTACHMENTS}
const d = document, drop = d.getElementById('drop'), field = d.getElementById('text'), file = d.getElementById('file'), note = d.getElementById('note');
if (!drop) return;
drop.hidden = false;
const take = async (chosen) => {
  if (!chosen) return;
  note.textContent = drop.dataset.reading.replace('#', () => chosen.name);
  try {
    if (chosen.size > 40000000) throw new Error();
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const isPdf = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-');
    const given = isPdf ? toGiven(await readAttachments(bytes)) : new TextDecoder().decode(bytes);
    if (given === null) {
      note.textContent = drop.dataset.none;
      return;
    }
    field.value = given;
    field.form.submit();
  } catch { note.textContent = drop.dataset.bad; }
};
file.addEventListener('change', () => void take(file.files[0]));
for (const name of ['dragenter', 'dragover']) d.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add('over'); });
d.addEventListener('dragleave', () => drop.classList.remove('over'));
d.addEventListener('drop', (event) => { event.preventDefault(); drop.classList.remove('over'); void take(event.dataTransfer.files[0]); });
})();`;
