import type { Severity } from '@/lib/rules/severity';

/** Tones one after another, Hz: the more severe, the more and the higher. */
const TONES: Record<Severity, readonly number[]> = {
  info: [660],
  warning: [660, 880],
  critical: [988, 740, 988],
};
const TONE_S = 0.14;
const GAP_S = 0.05;
const VOLUME = 0.25;
/** Without it the ends of a tone click. */
const RAMP_S = 0.015;

let context: AudioContext | undefined;

/** A browser that forbids sound may never answer. */
const UNLOCK_MS = 1000;

/** Whether browsers forbid sound because the page has not been used since it was loaded. */
export const isSoundForbidden = (): boolean => !(navigator.userActivation?.hasBeenActive ?? true);

export const unlockSound = async (): Promise<boolean> => {
  if (isSoundForbidden() || !('AudioContext' in window)) return false;
  if (context?.state === 'closed') context = undefined;
  context ??= new AudioContext();
  const resumed = context.resume().catch(() => {
    // Its state stays as it is, which is the answer.
  });
  if (context.state !== 'running')
    await Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, UNLOCK_MS))]);
  return context.state === 'running';
};

/** Plays a short sound. False where the browser forbids it. */
export const playAlertSound = async (severity: Severity): Promise<boolean> => {
  if (!(await unlockSound())) return false;
  const audio = context!;
  TONES[severity].forEach((hz, index) => playTone(audio, hz, audio.currentTime + index * (TONE_S + GAP_S)));
  return true;
};

const playTone = (audio: AudioContext, hz: number, atS: number): void => {
  const tone = new OscillatorNode(audio, { frequency: hz, type: 'triangle' });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, atS);
  volume.gain.linearRampToValueAtTime(VOLUME, atS + RAMP_S);
  volume.gain.setValueAtTime(VOLUME, atS + TONE_S - RAMP_S);
  volume.gain.linearRampToValueAtTime(0, atS + TONE_S);
  tone.connect(volume).connect(audio.destination);
  tone.start(atS);
  tone.stop(atS + TONE_S);
};
