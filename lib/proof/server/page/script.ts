import 'server-only';

/**
 * `readAttachments(bytes)`: the files that a PDF carries, as texts. A file is a stream that its dictionary calls EmbeddedFile; it
 * stays one where another program saves the PDF again, unless that program leaves it out or encrypts it.
 */
export const READ_ATTACHMENTS = `
const readAttachments = async (bytes) => {
  const latin = new TextDecoder('latin1').decode(bytes);
  const texts = [];
  for (const found of latin.matchAll(/\\/Type\\s*\\/EmbeddedFile\\b/g)) {
    const from = latin.lastIndexOf(' obj', found.index);
    const at = latin.indexOf('stream', found.index);
    if (from < 0 || at < 0 || at - from > 4000) continue;
    const dictionary = latin.slice(from, at);
    const start = at + (latin[at + 6] === '\\r' ? 8 : 7);
    const length = /\\/Length\\s+(\\d+)(?!\\s+\\d+\\s+R)/.exec(dictionary);
    const end = length ? start + Number(length[1]) : latin.indexOf('endstream', start);
    if (end < start || end > bytes.length || end - start > 4000000) continue;
    // The line end before "endstream" is not part of the stream.
    for (const cut of length ? [0] : [0, 1, 2]) {
      const data = bytes.subarray(start, end - cut);
      try {
        if (!/\\/FlateDecode/.test(dictionary)) texts.push(new TextDecoder('utf-8', { fatal: true }).decode(data));
        else texts.push(await new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'))).text());
        break;
      } catch { /* It ends elsewhere, or is no text. */ }
    }
  }
  return texts;
};
const toGiven = (texts) => {
  const jws = texts.map((text) => text.trim()).find((text) => /^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/.test(text));
  const json = texts.find((text) => text.includes('"linehaul-proof/'));
  return jws === undefined ? null : json === undefined ? jws : '{"document":' + json + ',"jws":"' + jws + '"}';
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
