/** What a terminal shows of what was written to it, as far as prompts need one. */
export interface Screen {
  write(text: string): void;
  resize(columns: number): void;
  /** From the first line, without blanks at the ends of lines; of the alternate screen the last whole picture. */
  lines(): string[];
  cursor(): { row: number; isShown: boolean };
  /** The characters of each line, with how they look. */
  cells(): readonly (readonly ScreenCell[])[];
}

export interface ScreenCell {
  character: string;
  /** The codes of color and weight that were in effect, e.g. `1` and `31` for bold and red. */
  codes: readonly number[];
}

interface Grid {
  codes: readonly number[];
  rows: ScreenCell[][];
  columns: number;
  row: number;
  column: number;
  isCursorShown: boolean;
  /** On the alternate screen: the last whole picture, and the screen to which the terminal returns. */
  picture?: { rows: ScreenCell[][]; before: Pick<Grid, "rows" | "row" | "column"> };
}

/** The control sequences that prompts write, by their letter; private ones with their number. */
const COMMANDS: Record<string, (grid: Grid, count: number, column: number) => void> = {
  A: (grid, count) => {
    grid.row = Math.max(0, grid.row - count);
  },
  B: (grid, count) => moveDown(grid, count),
  C: (grid, count) => {
    grid.column = Math.min(grid.columns - 1, grid.column + count);
  },
  D: (grid, count) => {
    grid.column = Math.max(0, grid.column - count);
  },
  G: (grid, count) => {
    grid.column = count - 1;
  },
  H: (grid, row, column) => {
    grid.row = row - 1;
    grid.column = column - 1;
  },
  K: (grid, count) => rowOf(grid).splice(count === 2 ? 0 : grid.column),
  J: (grid) => {
    rowOf(grid).splice(grid.column);
    grid.rows.splice(grid.row + 1);
    endPicture(grid);
  },
  m: (grid, code) => {
    const ended = ENDS[code];
    grid.codes = ended ? grid.codes.filter((other) => !ended.includes(other)) : [...grid.codes, code];
  },
  "?1049h": (grid) => {
    const { rows, row, column } = grid;
    grid.picture = { rows: [[]], before: { rows, row, column } };
    Object.assign(grid, { rows: [[]], row: 0, column: 0 });
  },
  "?1049l": (grid) => {
    Object.assign(grid, grid.picture?.before);
    delete grid.picture;
  },
  // What is written together is shown at its end.
  "?2026h": () => {},
  "?2026l": (grid) => endPicture(grid),
  "?25h": (grid) => {
    grid.isCursorShown = true;
  },
  "?25l": (grid) => {
    grid.isCursorShown = false;
  },
};

function endPicture(grid: Grid): void {
  if (grid.picture) grid.picture.rows = grid.rows.map((row) => [...row]);
}

/** The codes that a code ends. */
const ENDS: Readonly<Record<number, readonly number[]>> = {
  22: [1, 2],
  27: [7],
  39: [30, 31, 32, 33, 34, 35, 36, 37],
};

const SEQUENCE = /^\u001b\[(\??)(\d*)(?:;(\d+))?([A-Za-z])/;
const UNFINISHED = /^\u001b(?:\[\??[\d;]*)?$/;

export function createScreen(columns: number): Screen {
  const grid: Grid = { codes: [], rows: [[]], columns, row: 0, column: 0, isCursorShown: true };
  let rest = "";
  return {
    write(text) {
      rest += text;
      for (let length = taken(grid, rest); length > 0; length = taken(grid, rest)) rest = rest.slice(length);
    },
    resize: (to) => {
      grid.columns = to;
    },
    lines: () =>
      (grid.picture?.rows ?? grid.rows).map((row) =>
        Array.from(row, (cell) => (cell ?? BLANK).character)
          .join("")
          .trimEnd(),
      ),
    cells: () => grid.rows.map((row) => Array.from(row, (cell) => cell ?? BLANK)),
    cursor: () => ({ row: grid.row, isShown: grid.isCursorShown }),
  };
}

/** Takes what comes next, and says how long it was: nothing, while a sequence is not there as a whole. */
function taken(grid: Grid, text: string): number {
  const [character] = text;
  if (character === undefined || UNFINISHED.test(text)) return 0;
  if (character !== "\u001b") return put(grid, character);
  const [sequence = "", own = "", number = "", column = "", letter = ""] = SEQUENCE.exec(text) ?? [];
  const command = COMMANDS[own ? `?${number}${letter}` : letter];
  // A screen that is guessed proves nothing.
  if (!command)
    throw new Error(`a control sequence that this screen does not know: ${JSON.stringify(text.slice(0, 12))}`);
  command(grid, Number(number || "1"), Number(column || "1"));
  return sequence.length;
}

function put(grid: Grid, character: string): number {
  if (character === "\n") moveDown(grid, 1);
  else if (character === "\r") grid.column = 0;
  else {
    if (grid.column >= grid.columns) {
      moveDown(grid, 1);
      grid.column = 0;
    }
    rowOf(grid)[grid.column++] = { character, codes: grid.codes };
  }
  return character.length;
}

function moveDown(grid: Grid, count: number): void {
  grid.row += count;
  rowOf(grid);
}

const BLANK: ScreenCell = { character: " ", codes: [] };

function rowOf(grid: Grid): ScreenCell[] {
  while (grid.rows.length <= grid.row) grid.rows.push([]);
  return grid.rows[grid.row] ?? [];
}
