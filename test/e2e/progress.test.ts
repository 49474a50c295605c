import { chosen } from "../helpers/deep.ts";
import { exited } from "../helpers/exited.ts";
import { serve } from "./services/embedded.ts";
import { rawService, reply } from "./services/raw.ts";
import { inTerminal, uncolored } from "./terminal/terminal.ts";

const CLEAR = "\r\u001b[K";

/** A service that responds once the test has seen the output so far. */
async function waitingService(body: object) {
  const told = { seen: () => {} };
  const seen = new Promise<void>((resolve) => {
    told.seen = resolve;
  });
  const { env } = await rawService(async () => {
    await seen;
    const pagination = Array.isArray(body) ? { current_page: 1, per_page: 1000, total_items: body.length } : null;
    return reply(200, JSON.stringify({ success: true, data: body, pagination }));
  });
  return { env, seen: () => told.seen() };
}

test("shows what it waits for, and clears the line before the result", async () => {
  const { env, seen } = await waitingService([{ id: "r1" }]);
  const typed = [{ after: "waiting for the service", act: seen }];
  const { shown } = await exited(0, inTerminal("relayctl relayers list", { env: { ...env, NO_COLOR: "1" }, typed }));
  expect(shown).toMatch(/^\r\u001b\[Kwaiting for the service\r\u001b\[K +ID/);
});

test("says that a write is in progress", async () => {
  const { env, seen } = await waitingService({ id: "r1", paused: true });
  const typed = [{ after: "a write is in progress", act: seen }];
  const { shown } = await exited(0, inTerminal("relayctl relayers pause r1 --no-input", { env, typed }));
  expect(shown).toContain(`${CLEAR}a write is in progress${CLEAR}`);
  expect(uncolored(shown)).toContain("✓ r1 in ");
});

test.each(chosen([{ RELAYCTL_ACCESSIBLE: "1", NO_COLOR: "1" }, { TERM: "dumb" }], 1))(
  "with %o prints plain lines",
  async (more) => {
    const { env, seen } = await waitingService([{ id: "r1" }]);
    const typed = [{ after: "waiting for the service", act: seen }];
    const { shown } = await inTerminal("relayctl relayers list", { env: { ...env, ...more }, typed });
    expect(shown).toMatch(/^waiting for the service\nID/);
    expect(shown).not.toMatch(/[\r\u001b]/);
  },
);

const READS: readonly (readonly [string, string])[] = [
  ["tx stuck", "reading   0/"],
  ["doctor", "reading   0/"],
  ["relayers unstick eth-main-1 --dry-run", "waiting for the service, request 3"],
];

test.each(chosen(READS, 1))(
  "%s shows a count while it reads, and ends after Ctrl-C with what was done",
  async (line, after) => {
    const { env } = await serve({ latency: 500 });
    const typed = [{ after, keys: "\u0003" }];
    const { shown } = await exited(130, inTerminal(`relayctl ${line}`, { env: { ...env, NO_COLOR: "1" }, typed }));
    expect(shown.replaceAll(CLEAR, "\n")).toMatch(/^Interrupted[ .].*\n$/m);
    expect(shown).not.toContain("nothing is stuck");
  },
);
