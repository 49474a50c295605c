import { CANCELLATION, hash, record, TRANSFER } from "../../../chain/verdict/records.ts";
import { cli } from "../../../helpers/cli.ts";
import { BUMPED, RESPONSE, SENT } from "../raised-cap/capped-relayer.ts";
import { type WaitStory, waitingWorld } from "../waiting-service.ts";

const LOW = 10n ** 10n;
const HIGH = 10n ** 12n;

/** A transaction that is bumped, and a market whose base fee is as given. */
function story(baseFee: (second: number) => bigint, more: Partial<WaitStory> = {}): WaitStory {
  return {
    record: (second: number) => (second === 0 ? record() : second < 2 ? RESPONSE : SENT),
    written: () => RESPONSE,
    chain: (second: number) => ({
      transactions: [second < 2 ? TRANSFER : BUMPED, { ...TRANSFER, nonce: 5, hash: hash("e") }],
      market: { baseFee: baseFee(second), tip: 10n ** 8n },
      balance: 10n ** 18n,
    }),
    network: { average_blocktime_ms: 120_000 },
    ...more,
  } as unknown as WaitStory;
}

const putsOf = ({ writes }: Awaited<ReturnType<typeof cli>>) =>
  writes.filter(({ method }) => method === "PUT").map(({ target }) => target.split("/").at(-1));

/** Confirms a question in a terminal, during which something happens. */
async function confirmed(line: string, told: WaitStory, happens: () => void) {
  const answers = [
    async () => {
      happens();
      return true;
    },
  ];
  return await cli(line, { ...waitingWorld(told, {}), terminal: true, answers } as never);
}

test("a bump whose price rises above --max-price during the question is not sent", async () => {
  let baseFee = LOW;
  const rises = () => {
    baseFee = HIGH;
  };
  const ran = await confirmed(
    "tx bump evm-1 tx-1 --max-price 13gwei",
    story(() => baseFee),
    rises,
  );
  expect([ran.exitCode, putsOf(ran)]).toEqual([6, []]);
  expect(ran.stderr).toContain("above --max-price 13 gwei");
});

test("a bump after another one is not sent if the market has risen above --max-price meanwhile", async () => {
  const other = { id: "tx-2", nonce: 5, hash: hash("e") };
  const told = story((second) => (second >= 1 ? HIGH : LOW));
  const { record: own } = told;
  const both = {
    ...told,
    record: (second: number, id: string) => (id === "tx-1" ? own(second, id) : record(other)),
    written: (id: string) => (id === "tx-1" ? RESPONSE : { ...RESPONSE, ...other, hash: hash("9") }),
  } as WaitStory;
  const ran = await cli("tx bump evm-1 tx-1 tx-2 --max-price 13gwei --yes", waitingWorld(both));
  expect([ran.exitCode, putsOf(ran)]).toEqual([12, ["tx-1"]]);
});

test.each(["tx replace evm-1 tx-1 --inherit --speed fastest", "tx bump evm-1 tx-1"])(
  "a transaction that was canceled during the question is not sent again: %s",
  async (line) => {
    let isCanceled = false;
    const shown = () => (isCanceled ? record({ ...(CANCELLATION as object), is_canceled: true }) : record());
    const ran = await confirmed(
      line,
      story(() => LOW, { record: shown }),
      () => {
        isCanceled = true;
      },
    );
    expect([ran.exitCode, putsOf(ran)]).toEqual([6, []]);
    expect(ran.stderr).toContain("has changed since it was read");
  },
);

test("what --inherit copies is sent although the service sent the transaction again at another price meanwhile", async () => {
  let isResent = false;
  const shown = () => record(isResent ? { hash: hash("7"), max_fee_per_gas: "14000000000" } : {});
  const resent = () => {
    isResent = true;
  };
  const ran = await confirmed(
    "tx replace evm-1 tx-1 --inherit --speed fastest",
    story(() => LOW, { record: shown }),
    resent,
  );
  expect(putsOf(ran)).toEqual(["tx-1"]);
});
