import { type Dialect, interfaceDialect } from "../../../../src/embedded-server/dialect.ts";
import { openzeppelinDialect } from "../../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer } from "../../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../../src/embedded-server/state/store.ts";
import { cli, exited, TOKEN } from "../../../helpers/cli.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { seedState } from "../../../helpers/seed-state.ts";

/** Waits after another transaction of eth-main-1, and pays more than the relayer's cap allows to raise by a tenth. */
const CAPPED = "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a";
const START = Date.parse("2026-08-20T10:12:00.000Z");
const random = { uuid: () => "10000000-0000-4000-8000-000000000001", fraction: () => 0 };
const dialects: Record<string, Dialect> = { interface: interfaceDialect, openzeppelin: openzeppelinDialect(random) };

async function run(line: string, dialect: Dialect) {
  const state = seedState("demo");
  const { signal } = new AbortController();
  const clock = manualClock(START, signal);
  const service = createEmbeddedServer({ token: TOKEN, store: memoryStore(state), clock, random, dialect });
  return { state, ...(await cli(line, { service, clock, interrupt: signal })) };
}

test.each(Object.entries(dialects))("in the dialect %s, a bump with a raised cap is broadcast", async (_, dialect) => {
  const { state, stderr } = await exited(0, run(`tx bump eth-main-1 ${CAPPED} --raise-cap --yes`, dialect));
  expect(stderr).toContain("gas_price_cap of eth-main-1 is 80 gwei again\n");
  expect(state.relayers.get("eth-main-1")).toMatchObject({ policies: { gas_price_cap: 80_000_000_000 } });
});
