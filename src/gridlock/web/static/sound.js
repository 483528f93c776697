// Short tones for events on the board, synthesised in the browser. Off by default.

import { isOn } from "./storage.js";

/** @type {Record<string, { notes: number[], seconds: number, wave: OscillatorType }>} */
const TONES = {
  mine: { notes: [523], seconds: 0.09, wave: "triangle" },
  theirs: { notes: [392], seconds: 0.12, wave: "triangle" },
  no: { notes: [196], seconds: 0.14, wave: "sine" },
  win: { notes: [523, 659, 784, 1047], seconds: 0.16, wave: "triangle" },
  loss: { notes: [392, 330, 262], seconds: 0.2, wave: "sine" },
};
const LOUD = 0.12;
/** @type {AudioContext | null} */
let context = null;

/** Play a tone, if sounds are on.
 *
 * @param {keyof typeof TONES} name
 */
export function sound(name) {
  if (!isOn("sound") || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {}); // browsers reject this before the first click
  const { notes, seconds, wave } = TONES[name];
  for (const [index, pitch] of notes.entries()) note(context, pitch, context.currentTime + index * seconds * 0.8, seconds, wave);
}

/** @type {(at: AudioContext, pitch: number, start: number, seconds: number, wave: OscillatorType) => void} */
function note(at, pitch, start, seconds, wave) {
  const voice = new OscillatorNode(at, { type: wave, frequency: pitch });
  const volume = new GainNode(at, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUD, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  voice.connect(volume).connect(at.destination);
  voice.start(start);
  voice.stop(start + seconds);
}
