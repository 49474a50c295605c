import { exited, runHere, TOKEN, testApp, type World } from "../../helpers/cli.ts";
import { tokenService, USDC, word } from "../../helpers/erc20-service.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Watches eth-main-1 until the output has its first balance, and then until it has its second. */
async function watch(line: string, [first, second]: readonly [string, string], world: World = {}) {
  let balance = 2_500_000n;
  const erc20 = { usdc: { decimals: 6, addresses: { mainnet: USDC } } };
  const contexts = { prod: { server: "https://prod.example", token: TOKEN, erc20 } };
  const [clock, interrupt] = [steppedClock(), new AbortController()];
  const made = testApp({
    ...{ env: {}, config: { version: 1, current: "prod", contexts }, ...world, clock, interrupt: interrupt.signal },
    service: tokenService({ balanceOf: () => word(balance) }),
  });
  const ended = runHere(made, ["relayers", "status", "eth-main-1", "--watch", "30s", ...line.split(" ")]);
  const until = async (text: string) => {
    while (!made.stdout.text().includes(text)) await turnOfLoop();
  };
  await until(first);
  balance = 7_250_000n;
  for (let passed = 0; passed < 61; passed++) await clock.pass(1_000);
  await until(second);
  interrupt.abort("interrupted");
  return await ended;
}

test("a watch reads ERC-20 balances again, and prints an event for each change of a named field", async () => {
  const ran = await watch("--fields relayer.id,erc20.usdc", ["2500000", "7250000"]);
  const events = ran.stdout.trimEnd().split("\n");
  expect(events.map((line) => JSON.parse(line).erc20.usdc)).toEqual([2_500_000, 7_250_000]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a watch on a terminal has a column for each ERC-20 token", async () => {
  const { stdout } = await exited(0, watch("--erc20", ["2.5", "7.25"], { terminal: true }));
  expect(stdout).toContain("USDC");
});
