import { Agent, request } from "node:http";
import { onTestFinished } from "vitest";
import { webhookSignature } from "../../../src/contract/webhook/signature.ts";

const CONNECTIONS = 16;

/** Delivers events with these IDs over sixteen connections, and returns how many responses had each status. */
export async function burst(port: number, key: string, ids: readonly string[]): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  onTestFinished(() => agent.destroy());
  const statuses: Record<string, number> = {};
  const left = [...ids];
  const sender = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const status = await delivered(agent, port, key, id);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  return statuses;
}

function delivered(agent: Agent, port: number, key: string, id: string): Promise<number> {
  const transaction = { id: `tx-${id}`, relayer_id: "r1", status: "submitted", data: `0x${"ab".repeat(300)}` };
  const payload = { payload_type: "transaction", ...transaction };
  const body = JSON.stringify({ id, event: "transaction_update", payload, timestamp: "2026-08-20T10:00:00Z" });
  const headers = { "content-type": "application/json", "x-signature": webhookSignature(key, body) };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: "127.0.0.1", port, method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(body);
  });
}
