import { reply } from "../helpers/service/reply.ts";
import { openFaultServer } from "./server/fault-server.ts";
import { rawReply } from "./server/reply.ts";
import type { Script, Step } from "./server/script.ts";
import { interfaceDialect } from "./server/service/dialect.ts";
import { createService } from "./server/service/service.ts";
import { type Ended, runHere } from "./world.ts";

export const EVM = { id: "evm-1", name: "x", network_type: "evm" };
export const GET = ["relayers", "get", "evm-1"];
export const LIST = ["relayers", "list"];
export const PAUSE = ["relayers", "pause", "evm-1"];

/** How a command ended that was tried once, and how many requests it made. */
export interface Asked extends Ended {
  requests: number;
}

export async function against(scripts: readonly Script[], argv: readonly string[]): Promise<Asked> {
  const server = await openFaultServer({
    service: createService({ dialect: interfaceDialect, routes: true }),
    scripts,
  });
  onTestFinished(() => server.close());
  const ended = await runHere([...argv, "--retries", "0"], { origin: server.origin });
  return { ...ended, requests: server.arrived.length };
}

/** Runs a command whose every request gets this response. */
export async function answered(steps: readonly Step[], ...argv: readonly string[]): Promise<Asked> {
  return await against([{ match: {}, steps: [{ do: "read", bytes: "all" }, ...steps] }], argv);
}

export function send(text: string): Step {
  return { do: "send", text };
}

export function sendReply(body: object | string, status = 200): Step {
  return send(rawReply(reply(status, body, { "content-type": "application/json" })));
}

export function success(data: unknown, more: object = {}): Step {
  return sendReply({ success: true, data, error: null, ...more });
}
