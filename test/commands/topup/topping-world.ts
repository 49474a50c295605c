import type { Context } from "../../../src/config/config.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { emptySimChain, simAccount, simChainHeight } from "../../../src/embedded-server/chain/sim-chain.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { cli, type Ran, SERVER, TOKEN, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { reply } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { type Fault, isSend } from "../tx/once/keyed-world.ts";

const ETH = 10n ** 18n;
export const LINE = "topup --from purse --to-balance 0.1eth --below 0.05eth --yes --max-total 2.9eth";

export const PURSE = `0x${"9".repeat(40)}`;
const LABELS = { evm: { ops: `0x${"5".repeat(39)}1`, mine: PURSE } };

export function addressOf(number: number): string {
  return `0x${"b".repeat(36)}${String(number).padStart(4, "0")}`;
}

interface Sent {
  to: string;
  value: bigint;
}

export interface ToppingWorld {
  journal: MemoryJournal;
  /** Every transaction that the service has accepted, in order. */
  sent: Sent[];
  /** How much more an address has than the chain says, e.g. from somebody else. */
  extra: Map<string, bigint>;
  /** Puts a transaction of the purse on the chain that the service did not send. */
  sendElsewhere(value: bigint): void;
  run(line: string, fault?: Fault, world?: World): Promise<Ran>;
  pass(milliseconds: number): Promise<void>;
  apply(request: WireRequest): Promise<WireReply>;
  /** Returns what the chain says. */
  balance(address: string): Promise<bigint>;
}

/** A purse, relayers on its network without a balance, and a journal that several runs share. */
export function toppingWorld(
  relayers = 3,
  {
    rules = {},
    policies = {},
    isOff = false,
  }: { rules?: Partial<Context>; policies?: Record<string, string>; isOff?: boolean } = {},
): ToppingWorld {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const state = seedState("empty");
  const relayer = { network: "base", network_type: "evm", paused: isOff, system_disabled: isOff };
  state.relayers.put({ id: "purse", name: "Purse", ...relayer, address: PURSE, signer_id: "s", policies });
  for (let number = 1; number <= relayers; number++) {
    const id = `b-${String(number).padStart(3, "0")}`;
    state.relayers.put({ id, name: id, ...relayer, address: addressOf(number), signer_id: "unfunded", policies: {} });
  }
  state.relayers.put({ id: "p-1", name: "P", ...relayer, network: "polygon", address: addressOf(900), signer_id: "s" });
  const server = testServer({ store: memoryStore(state), clock });
  const sent: Sent[] = [];
  const extra = new Map<string, bigint>();
  const answer = async (request: WireRequest): Promise<WireReply> => {
    const replied = await server(request);
    if (isSend(request) && replied.status < 300) {
      const { data } = JSON.parse(new TextDecoder().decode(replied.body));
      sent.push({ to: data.to, value: BigInt(data.value) });
    }
    const asked = request.target.endsWith("/rpc") ? JSON.parse(request.body ?? "{}") : {};
    const more = asked.method === "eth_getBalance" ? extra.get(String(asked.params[0])) : undefined;
    if (more === undefined) return replied;
    const body = JSON.parse(new TextDecoder().decode(replied.body));
    if (typeof body.result !== "string") return replied;
    body.result = `0x${(BigInt(body.result) + more).toString(16)}`;
    return reply(replied.status, body);
  };
  const config = {
    version: 1 as const,
    contexts: { prod: { server: SERVER, token: TOKEN, ...rules } },
    labels: LABELS,
  };
  const journal = memoryJournal();
  return {
    journal,
    sent,
    extra,
    apply: answer,
    sendElsewhere(value) {
      const chain = state.chains.get("evm:base") ?? emptySimChain();
      const { nonce } = simAccount(chain, PURSE);
      const [block, at] = [simChainHeight(clock.now(), 2_000), clock.now()];
      const hash = `0x${"f".repeat(62)}${String(nonce).padStart(2, "0")}`;
      const prices = { gas: 21_000n, fee: 10n ** 9n, tip: 10n ** 9n, isLegacy: true };
      const sent = { ...prices, hash, from: PURSE, nonce, to: addressOf(1), value, data: "0x", at, isChosen: false };
      state.chains.set("evm:base", {
        ...chain,
        accounts: new Map(chain.accounts).set(PURSE, { nonce: nonce + 1, block }),
        mined: [...chain.mined, { ...sent, block }],
      });
    },
    pass: (milliseconds) => clock.sleep(milliseconds),
    run: (line, fault, world = {}) =>
      cli(`${line} -c prod`, {
        ...{ env: {}, config, journal, clock, interrupt },
        service: fault ? (request) => fault(request, () => answer(request)) : answer,
        ...world,
      }),
    async balance(address) {
      const target = "/api/v1/relayers/purse/rpc";
      const call = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [address, "latest"] };
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
      const replied = await answer({ method: "POST", target, headers, body: JSON.stringify(call) });
      return BigInt(JSON.parse(new TextDecoder().decode(replied.body)).result);
    },
  };
}

export interface Row {
  target: string;
  balance: string;
  pending: string;
  amount: string;
  after: string;
  state: string;
  why: string | null;
}

export function rowsIn({ stdout }: Pick<Ran, "stdout">): Row[] {
  return JSON.parse(stdout);
}

export function statesIn(ran: Pick<Ran, "stdout">): string[] {
  return rowsIn(ran).map(({ state }) => state);
}

/** Returns the addresses that got more than one payment. */
export function toppedUpTwice({ sent }: Pick<ToppingWorld, "sent">): string[] {
  const receivers = sent.map(({ to }) => to);
  return receivers.filter((to, index) => receivers.indexOf(to) !== index);
}

export function sumOf({ sent }: Pick<ToppingWorld, "sent">): bigint {
  return sent.reduce((sum, { value }) => sum + value, 0n);
}

export function eth(text: string): bigint {
  const [whole = "0", decimals = ""] = text.split(".");
  return BigInt(whole) * ETH + BigInt(decimals.padEnd(18, "0"));
}
