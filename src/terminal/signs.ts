/** The signs of this program: for a terminal that shows UTF-8, and in ASCII. */
const SIGNS = {
  good: ["✓", "+"],
  bad: ["✗", "x"],
  active: ["●", "*"],
  paused: ["‖", "="],
  ahead: ["○", "o"],
  attention: ["!", "!"],
} as const satisfies Record<string, readonly [unicode: string, ascii: string]>;

export type SignName = keyof typeof SIGNS;

/** Returns a sign of one column. */
export function signText(name: SignName, hasUnicode: boolean): string {
  return SIGNS[name][hasUnicode ? 0 : 1];
}
