import { mined, record, TRANSFER } from "../../chain/verdict/records.ts";
import { exited } from "../../helpers/exited.ts";
import { LINE, payingWorld } from "./send-many/paying-world.ts";
import { run, type WaitStory } from "./waiting-service.ts";

const PAID: WaitStory = {
  record: () => record(),
  chain: (second) => (second < 3 ? { transactions: [TRANSFER] } : mined(100, 101)),
};
const GHOSTTY = {
  terminal: true,
  env: { RELAYCTL_SERVER: "http://127.0.0.1:8080", RELAYCTL_TOKEN: "t", TERM_PROGRAM: "ghostty" },
};
const WAIT = "tx wait evm-1 tx-1 --notify";
const SHOWN = /\u0007\u001b\]9;relayctl: ([^\u001b]*)\u001b\\/g;
const notificationsIn = (text: string) => [...text.matchAll(SHOWN)].map(([, shown]) => shown);

describe("tx wait --notify", () => {
  test("calls the user to the terminal at the end", async () => {
    const { stderr, stdout, exitCode } = await run(WAIT, PAID, GHOSTTY);
    expect([exitCode, notificationsIn(stderr)]).toEqual([0, ["tx wait: done"]]);
    expect(stdout).not.toContain("\u0007");
  });

  test("says why it failed, and fails as it does without it", async () => {
    const waiting: WaitStory = { record: () => record(), chain: () => ({ transactions: [TRANSFER] }) };
    const { stderr } = await exited(15, run(`${WAIT} --deadline 5s`, waiting, GHOSTTY));
    expect(notificationsIn(stderr)).toEqual([expect.stringMatching(/^tx wait: .*tx-1/)]);
  });

  test("writes nothing of it to a pipe, in a dry run, and without the flag", async () => {
    const { terminal: _, ...pipe } = GHOSTTY;
    for (const [line, world] of [
      [WAIT, pipe],
      [`${WAIT} --dry-run`, GHOSTTY],
      [WAIT.replace(" --notify", ""), GHOSTTY],
    ] as const) {
      const { stderr, stdout } = await run(line, PAID, world);
      expect(stderr + stdout).not.toContain("\u0007");
    }
  });
});

describe("tx send-many --notify", () => {
  const LINE_OF = `${LINE} --notify`;
  const world = { terminal: true, env: { TERM: "rxvt-unicode-256color" } };

  test("shows what was accepted", async () => {
    const { stderr } = await payingWorld().run(LINE_OF, undefined, { ...world, answers: ["6000gwei"] });
    expect(stderr).toContain(
      "\u0007\u001b]777;notify;relayctl;tx send-many: accepted in prod: 3 of 3 payments, 0.000006 ETH\u001b\\",
    );
  });

  test("is silent for a user who is at the terminal", async () => {
    const { stderr } = await exited(3, payingWorld().run(LINE_OF, undefined, { ...world, answers: ["no"] }));
    expect(stderr).not.toContain("\u0007");
  });
});
