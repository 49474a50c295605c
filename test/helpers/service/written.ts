import { readdirSync, readFileSync } from "node:fs";
import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { type Recorded, replyOf } from "./recorded.ts";
import { reply } from "./reply.ts";

const FOLDER = new URL("../../fixtures/written/", import.meta.url);

/** The files of exchanges that were written by hand from the facts, in the shape of the recorded ones. */
export const writtenFiles: readonly string[] = readdirSync(FOLDER).map((name) => name.replace(/\.jsonl$/, ""));

export function writtenIn(file: string): readonly Recorded[] {
  const text = readFileSync(new URL(`${file}.jsonl`, FOLDER), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
}

/** A service with only the written exchanges. */
export function writtenService(...files: readonly string[]): Transport {
  const exchanges = files.flatMap(writtenIn);
  return async (request) => {
    const found = exchanges.find((exchange) => isSame(exchange, request));
    return found ? replyOf(found) : reply(404);
  };
}

function isSame({ request }: Recorded, { method, target, body }: WireRequest): boolean {
  return request.method === method && request.path === target.split("?")[0] && (request.body ?? undefined) === body;
}
