import { expect, test } from "vitest";
import { chosen } from "../helpers/deep.ts";
import { bash, newFolder } from "./relayctl.ts";
import { serve } from "./services/embedded.ts";
import { inTerminal } from "./terminal/terminal.ts";

const [BEGIN, END] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
const CTRL_C = "\u0003";
const CANCELED = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

const FLOWS = [
  {
    watched: "the list of relayers",
    line: "relayctl relayers list --watch 1s",
    change: "relayctl relayers pause base-hot",
    marked: "> base-hot ",
    left: /‖ base-hot [\s\S]*Z {2}base-hot {2}active → paused\nafter\n$/,
  },
  {
    watched: "the transactions of a relayer",
    line: "relayctl tx list eth-main-1 --watch 1s",
    change: `relayctl tx cancel eth-main-1 ${CANCELED} --yes`,
    marked: `> ${CANCELED} `,
    left: new RegExp(`${CANCELED}[\\s\\S]*Z {2}${CANCELED} {2}.*\\nafter\\n$`),
  },
];

test.each(chosen(FLOWS, 0))(
  "a watch of $watched marks a change, and ends with 0 and without an error after Ctrl-C",
  async (flow) => {
    const { env } = await serve();
    const folder = newFolder();
    const { exitCode, shown } = await inTerminal(`${flow.line}; code=$?; echo after; exit $code`, {
      folder,
      env: { ...env, NO_COLOR: "1" },
      columns: 100,
      typed: [
        { after: "Ctrl-C to stop", act: () => void bash(flow.change, { folder, env }) },
        { after: flow.marked, keys: CTRL_C },
      ],
    });
    expect(exitCode, shown).toBe(0);
    expect(shown.startsWith(`${BEGIN}\u001b[H`)).toBe(true);
    const [, after = "", ...others] = shown.split(END);
    expect(others).toEqual([]);
    expect(after).toMatch(flow.left);
    expect(after).not.toMatch(/\u001b|error|interrupted/i);
  },
);
