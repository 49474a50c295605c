import type { ScreenCell } from "../../e2e/terminal/screen.ts";

/** The size of a character, and the room around the text, in pixels. */
const [WIDTH, HEIGHT, ROOM] = [8, 19, 16];
const BASELINE = 14;

/** The codes of a terminal that change how a text looks, and their classes. */
const CLASSES: Readonly<Record<number, string>> = { 1: "b", 2: "d", 7: "i", 31: "r", 32: "g", 33: "y", 36: "c" };

const STYLE = [
  "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}",
  "rect{fill:#fff;stroke:#d1d9e0}text{fill:#1f2328}",
  ".b{font-weight:700}.d{fill:#6e7781}.r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#8a6100}.c{fill:#0b6b78}.i{fill:#fff}",
  "rect.i{fill:#1f2328;stroke:none}",
  "@media (prefers-color-scheme:dark){rect{fill:#0d1117;stroke:#3d444d}text{fill:#e6edf3}",
  ".d{fill:#8b949e}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}.c{fill:#39c5cf}.i{fill:#0d1117}",
  "rect.i{fill:#e6edf3}}",
].join("");

/** Characters that look the same, from a column on. */
interface Piece {
  column: number;
  text: string;
  classes: string;
}

type Cells = readonly (readonly ScreenCell[])[];

/** Returns a screen as an SVG whose text can be selected, light or dark as the reader prefers. */
export function svgOf(screen: Cells, columns: number, title: string): string {
  const drawn = linesOf(screen);
  return framed(drawn.flat(), { columns, lines: drawn.length, title, style: STYLE });
}

/** A screen of a moving picture, and for how many seconds it is shown. */
export interface Frame {
  screen: Cells;
  seconds: number;
}

/** Returns an SVG that shows screens one after the other, and starts again. Readers who prefer no motion only see the last screen. */
export function movingSvgOf(frames: readonly Frame[], columns: number, title: string): string {
  const all = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const drawn = frames.map(({ screen }) => linesOf(screen));
  let shown = 0;
  const rules = frames.map(({ seconds }, at) => {
    const [from, until] = [shown, shown + seconds].map((time) => Math.round((time / all) * 10_000) / 100);
    shown += seconds;
    const start = at === 0 ? "" : "0%{visibility:hidden}";
    const end = at === frames.length - 1 ? "" : `${until}%{visibility:hidden}`;
    return `@keyframes k${at}{${start}${from}%{visibility:visible}${end}}.k${at}{animation-name:k${at}}`;
  });
  const still = `@media (prefers-reduced-motion:reduce){.k{animation:none}.k${frames.length - 1}{visibility:visible}}`;
  const style = `${STYLE}.k{visibility:hidden;animation:${all}s step-end infinite}${rules.join("")}${still}`;
  const groups = drawn.flatMap((lines, at) => [`<g class="k k${at}">`, ...lines.flat(), "</g>"]);
  const lines = Math.max(...drawn.map(({ length }) => length));
  return framed(groups, { columns, lines, title, style });
}

function framed(
  drawn: readonly string[],
  { columns, lines, title, style }: { columns: number; lines: number; title: string; style: string },
): string {
  const [width, height] = [columns * WIDTH + 2 * ROOM, lines * HEIGHT + 2 * ROOM];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

/** Returns what draws each line, without the blank ones at the end. */
function linesOf(screen: Cells): string[][] {
  const isBlank = (line: readonly ScreenCell[]) => line.every(({ character }) => character === " ");
  const lines = screen.slice(0, screen.findLastIndex((line) => !isBlank(line)) + 1);
  return lines.map((line, row) => lineOf(piecesOf(line), ROOM + row * HEIGHT));
}

function lineOf(pieces: readonly Piece[], top: number): string[] {
  const inverse = pieces.filter(({ classes }) => classes.split(" ").includes("i"));
  const boxes = inverse.map(
    ({ column, text }) =>
      `<rect class="i" x="${ROOM + column * WIDTH}" y="${top}" width="${text.length * WIDTH}" height="${HEIGHT}"/>`,
  );
  const spans = pieces.map(({ column, text, classes }) => {
    const look = classes === "" ? "" : ` class="${classes}"`;
    const length = text.trimEnd().length > 1 ? ` textLength="${text.length * WIDTH}"` : "";
    return `<tspan x="${ROOM + column * WIDTH}"${length}${look}>${escaped(text)}</tspan>`;
  });
  return spans.length === 0
    ? []
    : [...boxes, `<text y="${top + BASELINE}" xml:space="preserve">${spans.join("")}</text>`];
}

/** Returns the pieces of a line. Each begins at its column, whatever widths the reader's font has. */
function piecesOf(line: readonly ScreenCell[]): Piece[] {
  const pieces: Piece[] = [];
  const end = line.findLastIndex(({ character }) => character !== " ") + 1;
  for (const [column, { character, codes }] of line.slice(0, end).entries()) {
    const classes = codes.flatMap((code) => CLASSES[code] ?? []).join(" ");
    const last = pieces.at(-1);
    const isApart = last?.text.endsWith("  ") && character !== " ";
    const isSign = (text = "") => /[^\x20-\x7e]/.test(text);
    const isSame = character === last?.text.at(-1) || (!isSign(character) && !isSign(last?.text.at(-1)));
    if (last && last.classes === classes && !isApart && isSame) last.text += character;
    else pieces.push({ column, text: character, classes });
  }
  return pieces;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
