import { readFileSync } from "node:fs";
import type { Transport } from "../../src/client/transport/transport.ts";
import { createScreen, type ScreenCell } from "../e2e/terminal/screen.ts";
import { DEEP } from "../helpers/deep.ts";
import { pageReply, reply, success } from "../helpers/service/reply.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";
import { inProd, type World } from "../helpers/test-app.ts";
import { COLUMNS, play, type Scene } from "./pictures/scene.ts";
import { type Frame, movingSvgOf, svgOf } from "./pictures/svg.ts";

const ALL = 4010;
const PAUSED = 10;
/** The relayers that the service refuses to change. */
const DISABLED = [121, 544, 1020];
const LAST = 1214;
const EACH = 32;

const idOf = (number: number) => `relayer-${String(number).padStart(7, "0")}`;
const relayer = (number: number, paused: boolean) => ({ id: idOf(number), name: `Relayer ${number}`, paused });

/** A service of 4,010 relayers whose user presses Ctrl-C in the middle of a bulk change. */
function manyRelayers(beforeInterrupt: () => void): World {
  const clock = steppedClock();
  const interrupt = new AbortController();
  const relayers = Array.from({ length: ALL }, (_, at) => relayer(at + 1, at < PAUSED));
  const service: Transport = async ({ method, target }) => {
    if (method === "GET") return pageReply(relayers, target);
    await clock.pass(EACH);
    const number = Number(target.split("relayer-")[1]);
    if (number === LAST) {
      beforeInterrupt();
      interrupt.abort("interrupted");
    }
    if (DISABLED.includes(number)) return reply(400, { success: false, error: "Relayer is disabled" });
    return success(relayer(number, true));
  };
  return { config: inProd().config, service, clock, interrupt: interrupt.signal };
}

/** The look of a sign at the start of a line. */
const SIGNS: Readonly<Record<string, readonly number[]>> = { "✓": [32], "✗": [31], "?": [36], $: [2] };

/** How many seconds a screen is shown, and how many if it is read: before something is typed, and at the end. */
const [SHORT, LONG] = [2, 6];

/** Returns the screens of a recorded session in docs/sessions, below the line that was typed; keys appear where they are typed. */
function framesOf(session: string): Frame[] {
  const [line = "", ...parts] = session.replace(/\n\(exit \d+\)\n*$/, "").split(/\n\n+(?=\S|\s+\[)/);
  const screens = parts.map((part, at) => {
    const typed = /^\s+\[(\w+), enter\]$/.exec(part)?.[1];
    return typed === undefined ? part : `${parts[at - 1]} ${typed}`;
  });
  const frames = [line, ...screens.map((screen) => `${line}\n${screen}`)];
  const isRead = (at: number) => at === frames.length - 1 || parts[at]?.trimStart().startsWith("[");
  return frames.map((text, at) => ({ screen: cellsOf(text), seconds: isRead(at) ? LONG : SHORT }));
}

function cellsOf(text: string): ScreenCell[][] {
  return text
    .split("\n")
    .map((line) =>
      Array.from(line, (character, column) => ({ character, codes: (column === 0 && SIGNS[character]) || [] })),
    );
}

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
