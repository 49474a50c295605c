import { ageText, agoText, secondsSince, shortAgoText } from "../../src/contract/age-text.ts";
import { intent } from "../commands/history/recorded.ts";
import { callOne } from "../commands/mcp/sessions.ts";
import { shownTop } from "../commands/top/shown-top.ts";
import { cli, exits, SERVER, TOKEN } from "../helpers/cli.ts";
import { DEEP, sampled } from "../helpers/deep.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { realService } from "../helpers/service/real-service.ts";

const NOW = Date.parse("2026-11-21T03:12:07Z");
const RECEIVER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const ENV = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "journal" };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How far this machine's clock is ahead of the service's. */
const SKEWS: Readonly<Record<string, number>> = {
  "20 minutes behind": -20 * MINUTE,
  "4 seconds behind": -4 * SECOND,
  "20 minutes ahead of": 20 * MINUTE,
};

/** Every screen for people that shows a time. */
const SCREENS = [
  "relayers list",
  "relayers list --fields id,oldest,state",
  "relayers get eth-main-1",
  "relayers status",
  "relayers status eth-main-1",
  "relayers unstick eth-main-1 --dry-run",
  "tx list eth-main-1",
  "tx list eth-main-1 --fields id,age,status",
  "tx get base-hot ID",
  "tx list base-hot",
  "tx list base-hot --fields id,age,status",
  "tx stuck eth-main-1",
  "tx stuck",
  "doctor",
  "find eth-main-1",
  "server ready",
  "server health",
  "plugins list",
  "notifications list",
  "signers list",
  "networks list",
  "audit base-hot",
  "spend",
  "proposals list",
  "history list",
  "topup --from base-hot --to-balance 0.5eth --below 0.2eth --dry-run",
  "relayers guard base-hot --pause-if spend_1d>2eth --yes --deadline 1s",
  "relayers status --watch 2s --deadline 1s",
  "find base-hot",
  "tx wait base-hot ID --deadline 2s",
  "relayers balance base-hot",
  "alerts --for prometheus",
];

/** What no screen for people shows: a fraction of a second, a time zone, a negative age, or no time at all. */
const WRONG = /\d:\d\d\.\d|\+00:00|T\d\d:\d\d:\d\d|(?:^|\s)-\d+\s?(?:s|m|h|d|min|seconds?)\b|NaN|Invalid/m;

describe.each(Object.entries(SKEWS).map(([title, skew], turn) => [title, skew, turn] as const))(
  "with this machine's clock %s the service's",
  (_, skew, turn) => {
    test.each(sampled(SCREENS, 4, turn))("%s shows no fraction of a second and no negative age", async (line) => {
      const service = realService(NOW - skew);
      // A record that is as old as the service's clock says: now.
      const sent = await exits(0, `tx send base-hot --to ${RECEIVER} --value 0.001eth --speed fast --yes -o name`, {
        service,
      });
      const { stdout, stderr } = await cli(line.replace("ID", sent.stdout.trim()), { service, terminal: true });
      expect(stdout + stderr).not.toMatch(WRONG);
    });

    test.runIf(DEEP || turn === 0)(
      "top shows no fraction of a second and no negative age, in the list, of a relayer, and of a transaction",
      async () => {
        const service = realService(NOW - skew);
        await cli(`tx send base-hot --to ${RECEIVER} --value 0.001eth --speed fast --yes`, { service });
        const top = await shownTop("top", { service });
        await top.sees(/base-hot .* 1 /);
        expect(top.shown()).not.toMatch(WRONG);
        await top.type("/", ..."base-hot", "enter", "enter");
        await top.sees(/0\.001 ETH/);
        expect(top.shown()).not.toMatch(WRONG);
        await top.type("enter");
        await top.pass(3);
        expect(top.shown()).not.toMatch(WRONG);
        await top.type("q");
      },
    );

    test.each(sampled(["status", "stuck", "doctor", "history"], 3, turn))(
      "the tool %s of mcp says nothing wrong either",
      async (name) => {
        const world = { service: realService(NOW - skew), journal: memoryJournal(), env: ENV };
        await cli(`tx send base-hot --to ${RECEIVER} --value 0.001eth --speed fast --yes`, world);
        const { structured } = await callOne(name, {}, world);
        const { messages, text, data, exit_code: code } = structured ?? { messages: ["no result"] };
        expect([0, 5, 13], messages.join()).toContain(code);
        expect(`${messages.join("\n")}\n${text ?? ""}`).not.toMatch(WRONG);
        expect(JSON.stringify(data ?? null)).not.toMatch(/"(?:\w*_)?(?:age|seconds|ms)":-|NaN|Invalid/);
      },
    );
  },
);

test.each(["tx list base-hot", "tx stuck", "history list", "tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50"])(
  "a table of %s in a pipe has exact times without fractions",
  async (line) => {
    const { stdout } = await cli(`${line} -o table --demo`, { journal: memoryJournal({ entries: [intent("a")] }) });
    expect(stdout).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/);
    expect(stdout).not.toMatch(WRONG);
  },
);

test.each([
  [-20 * MINUTE, "in 20m", "in 20m", "in 20 minutes", null],
  [-15 * MINUTE - 1, "in 15m", "in 15m", "in 15 minutes", null],
  [-15 * MINUTE, "0s", "0s ago", "0 seconds ago", 0],
  [-4 * SECOND, "0s", "0s ago", "0 seconds ago", 0],
  [0, "0s", "0s ago", "0 seconds ago", 0],
  [3 * SECOND, "3s", "3s ago", "3 seconds ago", 3],
])("a time %d ms ago reads %s, %s, %s", (age, short, ago, words, seconds) => {
  expect([ageText(age), shortAgoText(age), agoText(age)]).toEqual([short, ago, words]);
  expect(secondsSince(new Date(NOW - age).toISOString(), NOW)).toBe(seconds);
});
