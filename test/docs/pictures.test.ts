import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createScreen, type ScreenCell } from "../e2e/terminal/screen.ts";
import { DEEP } from "../helpers/deep.ts";
import { manyRelayers } from "./pictures/many-relayers.ts";
import { framesOf } from "./pictures/recorded-session.ts";
import { COLUMNS, play, type Scene } from "./pictures/scene.ts";
import { movingSvgOf, svgOf } from "./pictures/svg.ts";

const STUCK = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

/** The main screens. `npm run pictures` draws them again. */
const PICTURES: Readonly<Record<string, Scene>> = {
  "relayers-list": { line: "relayctl --demo relayers list" },
  "relayers-status": { line: "relayctl --demo relayers status" },
  plan: { line: "relayctl --demo plan" },
  "tx-stuck": { line: "relayctl --demo tx stuck" },
  "tx-send": {
    line: `relayctl --demo tx send eth-main-1 --to ${TO} --value 0.01eth --speed fast`,
    keys: ["y"],
  },
  "tx-replace": {
    line: `relayctl --demo tx replace eth-main-1 ${STUCK} --inherit --value 0.25eth --speed fastest`,
    keys: ["y"],
  },
};

async function matches(name: string, cells: readonly (readonly ScreenCell[])[], line: string) {
  await matchesSvg(name, svgOf(cells, COLUMNS, line));
}

/** A picture has to be small, and must not load anything. */
async function matchesSvg(name: string, svg: string) {
  expect(svg.length).toBeLessThan(40_000);
  expect(svg).not.toMatch(/<(?:image|use|script|foreignObject)|href=|url\(|@import/);
  await expect(svg).toMatchFileSnapshot(`../../docs/pictures/${name}.svg`);
}

test.each(Object.entries(PICTURES))("docs/pictures matches the current screen: %s", async (name, scene) => {
  const screen = createScreen(COLUMNS);
  await play(scene, screen);
  await matches(name, screen.cells(), scene.line);
});

test.runIf(DEEP)(
  "docs/pictures matches the current screens of a bulk change, in progress and interrupted",
  async () => {
    const line = "relayctl relayers pause --all --concurrency 1 -o name > paused.txt";
    const screen = createScreen(COLUMNS);
    let inProgress: readonly (readonly ScreenCell[])[] = [];
    const world = manyRelayers(() => {
      inProgress = screen.cells();
    });
    await play({ line, keys: ["y"], world }, screen);
    await matches("relayers-pause", inProgress, line);
    await matches("relayers-pause-interrupted", screen.cells(), line);
  },
);

test("docs/pictures has the recorded session in which a jam is freed, as a moving picture", async () => {
  const frames = framesOf(readFileSync("docs/sessions/relayers-unstick.txt", "utf8"));
  await matchesSvg("relayers-unstick", movingSvgOf(frames, COLUMNS, "relayctl relayers unstick eth-main-1"));
});
