import { createFullScreen } from "../../src/terminal/full-screen.ts";
import { memoryOutput } from "../helpers/memory/output.ts";

const [BEGIN, END] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
const [TOGETHER, SHOWN] = ["\u001b[?2026h", "\u001b[?2026l"];

function shown() {
  const stdout = memoryOutput({ terminal: true, columns: 20, rows: 4, redact: (text) => text });
  const screen = createFullScreen(stdout);
  let at = 0;
  const written = () => {
    const text = stdout.text().slice(at);
    at += text.length;
    return text;
  };
  return { stdout, screen, written };
}

test("the first picture is painted on the alternate screen at once, and of each later one what changed", async () => {
  const { screen, written } = shown();
  expect(await screen.paint(["a", "b", "c", "d"])).toBe(true);
  expect(written()).toBe(
    `${BEGIN}${TOGETHER}\u001b[1;1H\u001b[2Ka\u001b[2;1H\u001b[2Kb\u001b[3;1H\u001b[2Kc\u001b[4;1H\u001b[2Kd${SHOWN}`,
  );
  expect(await screen.paint(["a", "x", "c", "d"])).toBe(true);
  expect(written()).toBe(`${TOGETHER}\u001b[2;1H\u001b[2Kx${SHOWN}`);
});

test("a picture that has not changed writes nothing", async () => {
  const { screen, written } = shown();
  await screen.paint(["a"]);
  written();
  expect([await screen.paint(["a"]), written()]).toEqual([false, ""]);
});

test("a shorter picture clears what was below it", async () => {
  const { screen, written } = shown();
  await screen.paint(["a", "b", "c"]);
  written();
  await screen.paint(["a"]);
  expect(written()).toBe(`${TOGETHER}\u001b[2;1H\u001b[J${SHOWN}`);
});

test("after a resize every row is painted again", async () => {
  const { stdout, screen, written } = shown();
  let losses = 0;
  screen.onLoss(() => losses++);
  await screen.paint(["a", "b"]);
  written();
  stdout.resize(10, 2);
  await screen.paint(["a", "b"]);
  expect([losses, written()]).toEqual([1, `${TOGETHER}\u001b[1;1H\u001b[2Ka\u001b[2;1H\u001b[2Kb${SHOWN}`]);
});

test("the end restores the screen once, and nothing is painted after it", async () => {
  const { screen, written } = shown();
  await screen.paint(["a"]);
  written();
  await screen.end();
  expect([await screen.paint(["b"]), written()]).toEqual([false, END]);
  await screen.end();
  expect(written()).toBe("");
});
