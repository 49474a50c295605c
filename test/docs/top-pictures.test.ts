import { shownTop } from "../commands/top/shown-top.ts";
import { createScreen, type ScreenCell } from "../e2e/terminal/screen.ts";
import { chosen } from "../helpers/deep.ts";
import { COLUMNS } from "./pictures/scene.ts";
import { movingSvgOf } from "./pictures/svg.ts";

type Cells = readonly (readonly ScreenCell[])[];

/** Plays a pause in `top`. @returns each screen, with the keys that were typed before it */
async function recordPause(columns: number): Promise<{ keys: string; screen: Cells }[]> {
  const top = await shownTop("--demo top", { columns, rows: 16, env: { LC_ALL: "C.UTF-8" } });
  const frames: { keys: string; screen: Cells }[] = [];
  const keep = (keys: string, text = top.stdout.text()) => {
    const screen = createScreen(columns);
    screen.write(text);
    frames.push({ keys, screen: screen.cells() });
  };
  await top.sees(/jammed at 7/);
  await top.pass(12);
  keep("");
  await top.type("/", ..."base-hot");
  keep("/base-hot");
  await top.type("enter", "p");
  keep("enter, p");
  await top.type("y");
  await top.sees(/press any key/);
  keep("y", top.stderr.text().replaceAll("\n", "\r\n"));
  await top.type("x", "escape");
  await top.sees(/active → paused/);
  keep("x, Esc");
  await top.type("q");
  expect((await top.ended).exitCode).toBe(0);
  return frames;
}

const textOf = (cells: Cells) =>
  cells.map((line) =>
    line
      .map(({ character }) => character)
      .join("")
      .trimEnd(),
  );

test.each(chosen([60, 80, 120, 200], 0, 3))("docs/sessions has a pause in top at %i columns", async (columns) => {
  const frames = await recordPause(columns);
  const parts = frames.map(({ keys, screen }) => [
    ...(keys ? [`        [${keys}]`] : []),
    textOf(screen).join("\n").trimEnd(),
  ]);
  for (const { screen } of frames.filter(({ keys }) => keys !== "y")) expect(screen.length).toBeLessThanOrEqual(16);
  await expect(`$ relayctl --demo top\n\n${parts.flat().join("\n\n")}\n`).toMatchFileSnapshot(
    `../../docs/sessions/top-${columns}.txt`,
  );
});

test("docs/pictures has a pause in top as a moving picture", async () => {
  const all = await recordPause(COLUMNS);
  const frames = all.filter(({ keys }) => keys !== "/base-hot");
  const svg = movingSvgOf(
    frames.map(({ screen }, at) => ({ screen, seconds: at === 0 || at === frames.length - 1 ? 6 : 3 })),
    COLUMNS,
    "relayctl top",
  );
  expect(svg.length).toBeLessThan(40_000);
  expect(svg).not.toMatch(/<(?:image|use|script|foreignObject)|href=|url\(|@import/);
  await expect(svg).toMatchFileSnapshot("../../docs/pictures/top.svg");
});
