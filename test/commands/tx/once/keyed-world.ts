import type { Context } from "../../../../src/config/config.ts";
import type { WireReply, WireRequest } from "../../../../src/contract/wire.ts";
import { cli, type Ran, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { type MemoryJournal, memoryJournal } from "../../../helpers/memory/journal.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { testServer } from "../../../helpers/service/test-server.ts";

export const RECEIVER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
export const PAY = `tx send base-hot --to ${RECEIVER} --value 0.01eth --gas-limit 21000 --speed fast`;
export const KEYED = `${PAY} --once payout-7`;

export type Fault = (request: WireRequest, answer: () => Promise<WireReply>) => Promise<WireReply>;

export interface KeyedWorld {
  journal: MemoryJournal;
  /** Runs a command in the same world, with a context, unless its options say otherwise. */
  run(line: string, world?: World, fault?: Fault): Promise<Ran>;
  pass(milliseconds: number): Promise<void>;
  /** The transactions that the service has accepted, by this client and by others. */
  accepted: string[];
}

/** A service and a journal that several runs share. */
export function keyedWorld(journal: MemoryJournal = memoryJournal(), rules: Partial<Context> = {}): KeyedWorld {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const server = testServer({ clock });
  const accepted: string[] = [];
  const answer = async (request: WireRequest) => {
    const reply = await server(request);
    const isSend = request.method === "POST" && request.target.endsWith("/transactions");
    if (isSend && reply.status < 300) accepted.push(String(JSON.parse(new TextDecoder().decode(reply.body)).data.id));
    return reply;
  };
  const config = { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN, ...rules } } };
  return {
    journal,
    accepted,
    pass: (milliseconds) => clock.sleep(milliseconds),
    run: (line, world = {}, fault) =>
      cli(`${line} -c prod --yes`, {
        env: {},
        config,
        journal,
        clock,
        interrupt,
        service: fault ? (request) => fault(request, () => answer(request)) : answer,
        ...world,
      }),
  };
}

export function isSend({ method, target }: WireRequest): boolean {
  return method === "POST" && target.endsWith("/transactions");
}

/** The transaction may have left, but never arrives. */
export const loseRequest: Fault = async (request, answer) => {
  if (isSend(request)) throw lost();
  return await answer();
};
