import type { Clock } from "../../../../src/client/clock.ts";
import type { Context } from "../../../../src/config/config.ts";
import type { WireReply, WireRequest } from "../../../../src/contract/wire.ts";
import type { Intent } from "../../../../src/journal/journal.ts";
import { cli, type Ran, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { type MemoryJournal, memoryJournal } from "../../../helpers/memory/journal.ts";
import { payouts, receiver } from "../../../helpers/payouts.ts";
import { demoStore } from "../../../helpers/seed-state.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { testServer } from "../../../helpers/service/test-server.ts";
import { type Fault, isSend } from "../once/keyed-world.ts";

export const LINE = "tx send-many base-hot -f payouts.csv --speed fast";

export interface PayingWorld {
  journal: MemoryJournal;
  clock: Clock;
  interrupt: AbortSignal;
  files: Record<string, string>;
  /** Runs a command in the same world; the sum of the file is confirmed unless the line says otherwise. */
  run(line: string, fault?: Fault, world?: World): Promise<Ran>;
  pass(milliseconds: number): Promise<void>;
  /** The receivers of all transactions that the service has accepted, in their order. */
  paid: string[];
  /** The sum of them in microether. */
  total(): number;
  /** Lets the service accept a transaction later, as a request that was on its way. */
  apply(request: WireRequest): Promise<WireReply>;
}

/** A service and a journal that several runs share. */
export function payingWorld(
  rows = 3,
  journal: MemoryJournal = memoryJournal(),
  rules: Partial<Context> = {},
  conditions: { expireAfter?: number } = {},
): PayingWorld {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const store = demoStore();
  const server = testServer({ store, clock, ...conditions });
  const paid: string[] = [];
  const values: bigint[] = [];
  const files: Record<string, string> = { "payouts.csv": payouts(rows) };
  const answer = async (request: WireRequest) => {
    const reply = await server(request);
    if (isSend(request) && reply.status < 300) {
      const { data } = JSON.parse(new TextDecoder().decode(reply.body));
      paid.push(data.to);
      values.push(BigInt(data.value));
    }
    return reply;
  };
  const config = { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN, ...rules } } };
  const sum = `${(rows * (rows + 1)) / 2}000000000000`;
  return {
    journal,
    clock,
    interrupt,
    files,
    paid,
    total: () => Number(values.reduce((all, each) => all + each, 0n) / 10n ** 12n),
    apply: answer,
    pass: (milliseconds) => clock.sleep(milliseconds),
    run: (line, fault, world = {}) =>
      cli(
        `${line} -c prod${/--confirm|--dry-run/.test(line) || !line.includes("send-many") || world.terminal ? "" : ` --confirm ${sum}`}`,
        {
          env: {},
          config,
          journal,
          clock,
          interrupt,
          files,
          service: fault ? (request) => fault(request, () => answer(request)) : answer,
          ...world,
        },
      ),
  };
}

export function rowsIn({ stdout }: Pick<Ran, "stdout">): Record<string, unknown>[] {
  return JSON.parse(stdout);
}

export function intentsOf({ journal }: Pick<PayingWorld, "journal">): Intent[] {
  return journal.entries.filter((entry): entry is Intent => entry.type === "intent" && entry.payment !== undefined);
}

export function states(stdout: string): unknown[] {
  return rowsIn({ stdout }).map(({ state }) => state);
}

/** The payment of a row may have left, but does not arrive; `late` gets the request, which can arrive later. */
export function loseRow(row: number, late: WireRequest[] = []): Fault {
  return async (request, answer) => {
    if (!isSend(request) || !request.body?.includes(receiver(row))) return await answer();
    late.push(request);
    throw lost();
  };
}
