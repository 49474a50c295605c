import { type Transport, TransportFailure } from "../../../../src/client/transport/transport.ts";
import { isJsonObject, parseJson } from "../../../../src/contract/json.ts";
import type { Transaction } from "../../../../src/contract/transaction/transaction.ts";
import type { FakeChain } from "../../../chain/fake-chain.ts";
import { PUT, record, THIRD, TRANSFER } from "../../../chain/verdict/records.ts";
import { cli, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { type MemoryJournal, memoryJournal } from "../../../helpers/memory/journal.ts";
import { reply, success } from "../../../helpers/service/reply.ts";
import { RELAYER, type WaitStory, waitingWorld } from "../waiting-service.ts";

export const FAST = { speed: "fastest" };
/** The response to a bump, priced a tenth higher, and the version that is broadcast. */
export const RESPONSE = record({
  ...FAST,
  hash: PUT,
  max_fee_per_gas: "11000000000",
  max_priority_fee_per_gas: "1100000000",
});
export const SENT = record({
  ...FAST,
  hash: THIRD,
  max_fee_per_gas: "12100000000",
  max_priority_fee_per_gas: "1210000000",
});
export const BUMPED = { ...TRANSFER, hash: THIRD, maxFee: 12_100_000_000n, tip: 1_210_000_000n };

export const OLD = 11_500_000_000n;
export const RAISED = 13_310_000_000n;

/** What happens to a request that changes the cap; by default it is applied. */
type Fate = "applied" | "applied, response lost" | "lost" | "refused";

export interface CappedStory extends Partial<WaitStory> {
  /** What happens to each request that changes the cap, in their order. */
  fates?: readonly Fate[];
  /** Called with each request before it is handled. */
  before?(
    request: { method: string; target: string; body?: string | undefined },
    relayer: { cap: bigint | null },
  ): void;
  cap?: bigint | null;
  /** Whether reads of the relayer fail once its cap was changed. */
  isUnreadable?: boolean;
}

/** A relayer whose cap is a little too low for the bump of its only transaction. */
export function cappedRelayer(story: CappedStory = {}, journal: MemoryJournal = memoryJournal()) {
  const relayer = { cap: story.cap === undefined ? OLD : story.cap };
  const fates = [...(story.fates ?? [])];
  const patches: bigint[] = [];
  let isBumped = false;
  const shown = (second: number): Transaction => {
    if (!isBumped) return record();
    return second < 2 ? RESPONSE : SENT;
  };
  const chain = (second: number): Partial<FakeChain> => ({
    transactions: isBumped && second >= 2 ? [BUMPED] : [TRANSFER],
    market: { baseFee: 10n ** 10n, tip: 10n ** 8n },
    balance: 10n ** 18n,
  });
  const base = waitingWorld({
    record: shown,
    chain,
    network: { average_blocktime_ms: 120_000 },
    ...story,
    written: (id) => {
      isBumped = true;
      return story.written?.(id) ?? RESPONSE;
    },
  });
  const own = base.service as Transport;
  const found = () => {
    const { cap } = relayer;
    return success({
      ...RELAYER,
      policies: { ...RELAYER.policies, ...(cap !== null && { gas_price_cap: String(cap) }) },
    });
  };
  const patched = (body: string | undefined) => {
    const fate = fates.shift() ?? "applied";
    const cap = capOf(body);
    patches.push(cap);
    if (fate === "refused") return reply(400, { success: false, data: null, error: "Relayer is disabled" });
    if (fate !== "lost") relayer.cap = cap;
    if (fate !== "applied") throw new TransportFailure("reset", "the connection was reset", { sent: true });
    return found();
  };
  const service: Transport = async (request, limits) => {
    const { method, target, body } = request;
    story.before?.(request, relayer);
    if (!/relayers\/evm-1$/.test(target)) return await own(request, limits);
    if (method === "PATCH") return patched(body);
    if (story.isUnreadable && patches.length > 0) throw new TransportFailure("connect", "refused", { sent: false });
    return found();
  };
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/journal" };
  const run = (line: string, world: World = {}) => cli(line, { ...base, service, journal, env, ...world });
  return { run, relayer, patches, journal, service };
}

function capOf(body = "{}"): bigint {
  const patch = parseJson(body);
  const policies = isJsonObject(patch) && isJsonObject(patch.policies) ? patch.policies : {};
  return BigInt(String(policies.gas_price_cap));
}
