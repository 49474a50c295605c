import type { AbiSource } from "../../../chain/simulation/revert-reason.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import type { DiffFlag } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { recover } from "../../../errors.ts";
import { type BlockLine, lines } from "../../../terminal/view.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Call } from "../../command.ts";
import type { CallFlags } from "./call-flags.ts";

/** Reads ABIs when an error is first decoded; or shows bytes. @param say silent where it would disturb a screen */
export function abiSource(
  { app, flags, session }: Pick<Call, "app" | "flags" | "session">,
  say: Call["say"] = async () => {},
): AbiSource {
  let found: ReturnType<AbiSource> | undefined;
  const read = async () => {
    const { knownAbis } = await import("./read-call.ts");
    return await recover(knownAbis({ app, flags: flags as CallFlags, session, say }), () => []);
  };
  return () => {
    found ??= read();
    return found;
  };
}

export interface ShownCall {
  rows: string[][];
  isWhole: boolean;
}

export function hasCall({ to, data }: JsonObject): boolean {
  return typeof to === "string" && typeof data === "string" && /^0x[0-9a-f]{8}/i.test(data);
}

export async function shownCall(call: Call<DiffFlag & CallFlags>, body: JsonObject): Promise<ShownCall> {
  const isShown = call.flags.diff || canPrompt(call.app, call.common);
  if (isShown && typeof body.transaction === "string") return await shownBuilt(body.transaction);
  if (!isShown || !hasCall(body)) return { rows: [], isWhole: false };
  const { describeFor } = await import("./read-call.ts");
  const { lines, isWhole } = await describeFor(call, String(body.data));
  return { rows: lines.map((line, index) => [index === 0 ? "  calls" : "", line]), isWhole };
}

async function shownBuilt(transaction: string): Promise<ShownCall> {
  const { describeBuilt } = await import("../../../views/transaction/describe-built.ts");
  const rows = describeBuilt(transaction).map((line, index) => [index === 0 ? "  does" : "", line]);
  return { rows, isWhole: false };
}

export function withCall(rows: readonly string[][], call: ShownCall): string[][] {
  return rows.flatMap((row) => {
    if (row[0] !== "  data" && row[0] !== "  transaction") return [row];
    return call.isWhole ? call.rows : [row, ...call.rows];
  });
}

export async function replacementCalls(
  call: Call<DiffFlag & CallFlags>,
  body: JsonObject,
  before: JsonObject | undefined,
): Promise<string[]> {
  const { rows } = await shownCall(call, body);
  const earlier = before && before.data !== body.data ? (await shownCall(call, before)).rows : [];
  return aligned([...earlier.map(([label, line = ""]) => [label === "" ? "" : "  calls now", line]), ...rows]);
}

export function showsCall({ app, output: { format = "table", fields } }: Call, record: JsonObject): boolean {
  return app.stdout.isTerminal && format === "table" && fields === undefined && hasCall(record);
}

export async function callLines(call: Call, record: JsonObject): Promise<BlockLine[]> {
  if (!showsCall(call, record)) return [];
  const { app, session, say } = call;
  const { describeFor } = await import("./read-call.ts");
  const described = await describeFor({ app, flags: {}, session, say }, String(record.data));
  return lines(
    "calls",
    described.lines.map((text) => ({ text })),
  );
}
