/** The signs of this program, of one column each. `ascii.ts` has what stands for them in ASCII. */
export const SIGNS = {
  good: "✓",
  bad: "✗",
  active: "●",
  paused: "‖",
  ahead: "○",
  attention: "!",
  changed: ">",
  note: "·",
} as const;

export type SignName = keyof typeof SIGNS;
