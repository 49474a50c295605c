import { createPainter } from "../../src/terminal/painter.ts";
import { memoryOutput } from "../helpers/memory/output.ts";

const BEGIN = "\u001b[?1049h\u001b[?25l";
const END = "\u001b[?25h\u001b[?1049l";

function painting(columns = 20, rows = 6) {
  const stdout = memoryOutput({ terminal: true, columns, rows, redact: (text) => text });
  return { stdout, painter: createPainter(stdout) };
}

/** The rows of the last picture. */
function picture(text: string): string[] {
  const last = text.split("\u001b[H").at(-1) ?? "";
  return last
    .replace("\u001b[J", "")
    .trimEnd()
    .split("\u001b[K\n")
    .filter((row) => row !== "")
    .map((row) => row.replace("\u001b[K", ""));
}

test("overwrites the previous picture line by line, and clears the rest of the screen", async () => {
  const { stdout, painter } = painting();
  await painter.paint("one\ntwo\n", "foot");
  await painter.paint("three\n", "foot");
  await painter.end();
  expect(stdout.text()).toBe(
    `${BEGIN}\u001b[Hone\u001b[K\ntwo\u001b[K\nfoot\u001b[K\n\u001b[J` +
      `\u001b[Hthree\u001b[K\nfoot\u001b[K\n\u001b[J${END}`,
  );
});

test("writes nothing if it never painted", async () => {
  const { stdout, painter } = painting();
  await painter.end();
  expect(stdout.text()).toBe("");
});

test("cuts text that is too long for the screen with a note, and keeps the footer", async () => {
  const { stdout, painter } = painting();
  await painter.paint("1\n2\n3\n4\n5\n6\n", "foot");
  expect(picture(stdout.text())).toEqual(["1", "2", "3", "… 3 more lines", "foot"]);
});

test("counts every row of a line that the terminal wraps", async () => {
  const { stdout, painter } = painting();
  await painter.paint(`${"x".repeat(30)}\n2\n3\n4\n`, "foot");
  expect(picture(stdout.text())).toEqual(["x".repeat(30), "2", "… 2 more lines", "foot"]);
});

test("escapes the footer and cuts it to one line", async () => {
  const { stdout, painter } = painting();
  await painter.paint("1\n", `no answer: \u001b[2J${"x".repeat(40)}`);
  expect(picture(stdout.text())).toEqual(["1", "no answer: \\u{1b}[2…"]);
});

test("shows the footer on a screen with only two rows", async () => {
  const { stdout, painter } = painting(20, 2);
  await painter.paint("1\n2\n", "foot");
  expect(picture(stdout.text())).toEqual(["foot"]);
});

test("does not count a link as columns of the screen", async () => {
  const { stdout, painter } = painting(20, 4);
  const link = "\u001b]8;;https://explorer.example.org/tx/0123456789\u001b\\hash\u001b]8;;\u001b\\";
  await painter.paint(`${link}\ntwo\n`, "foot");
  expect(picture(stdout.text())).toEqual([link, "two", "foot"]);
});
