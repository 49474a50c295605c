import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../src/contract/json.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { reply } from "./reply.ts";

/** One exchange with a running service of v1.8, as it was recorded. Placeholders are in `<>`. */
export interface Recorded {
  storage: string;
  section: string;
  name: string;
  request: { method: string; path: string; headers: Record<string, string>; body: string | null };
  response: { status: number; headers: Record<string, string>; body: string };
}

const FILE = new URL("../../fixtures/recorded.jsonl", import.meta.url);

export const recorded: readonly Recorded[] = readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

export function section(name: string): readonly Recorded[] {
  return recorded.filter((exchange) => exchange.section === name);
}

export function replyOf({ response }: Recorded): WireReply {
  return reply(response.status, response.body, response.headers);
}

export function recordedAs(name: string, sectionName?: string): Recorded {
  const found = recorded.filter((each) => each.name === name && (!sectionName || each.section === sectionName));
  const [exchange] = found;
  if (!exchange || found.length > 1) throw new Error(`${found.length} exchanges are called ${name}`);
  return exchange;
}

/** Returns the data of a recorded success. */
export function recordedData(name: string): JsonObject {
  return JSON.parse(recordedAs(name).response.body).data;
}
