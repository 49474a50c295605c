import { cli, ends } from "../../../helpers/cli.ts";
import { type Fleet, watching } from "../../watch/watching.ts";

const callsOf = ({ requests }: { requests: readonly { target: string }[] }) =>
  requests.filter(({ target }) => target.endsWith("/rpc")).length;

test("is read from the chain where it is named, and is null where it is not known", async () => {
  const ran = await cli("relayers status base-hot sol-pay --fields relayer.id,runway -o ndjson");
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(callsOf(ran)).toBeGreaterThan(0);
  const runways = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(runways).toContainEqual({ relayer: { id: "sol-pay" }, runway: null });
});

test("takes no requests unless it is named", async () => {
  expect(callsOf(await cli("relayers status", { terminal: true }))).toBe(0);
  expect(callsOf(await cli("relayers status --fields relayer.id,oldest"))).toBe(0);
});

test("cannot be selected together with --brief", () =>
  ends({ exitCode: 2, requests: [] }, "relayers status --brief --sort runway"));

const statusWith = (balance: bigint) => ({
  network_type: "evm",
  balance: String(balance),
  pending_transactions_count: 0,
  nonce: "3",
});

test.each([
  [10n ** 15n, /LAST {2}LASTS\n.* 1\.079 ETH .* 8 hours\n/],
  [10n ** 10n, /LAST\n.* 1\.09999979 ETH /],
])(
  "a watch that has seen balances fall shows how long they last if they fall by %d per half minute and that is under 30 days",
  async (step, words) => {
    const fleet: Fleet = {
      relayers: [{ id: "r1", network: "mainnet", network_type: "evm" }],
      statuses: {},
      transactions: {},
    };
    let balance = 11n * 10n ** 17n;
    fleet.statuses.r1 = statusWith(balance);
    const watch = await watching("relayers status --watch 30s --retries 0", fleet, { terminal: true });
    for (let read = 0; read < 5; read++) {
      balance -= step;
      fleet.statuses.r1 = statusWith(balance);
      await watch.pass(30);
    }
    expect(watch.screen()).not.toContain("LASTS");
    for (let read = 0; read < 16; read++) {
      balance -= step;
      fleet.statuses.r1 = statusWith(balance);
      await watch.pass(30);
    }
    expect(watch.screen()).toMatch(words);
    expect(callsOf(watch)).toBe(0);
  },
);
