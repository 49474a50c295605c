import type { JsonObject } from "../../../contract/json.ts";
import type { Row } from "../../../message.ts";
import type { Session } from "../../../session/session.ts";
import { type BlockLine, viewLines } from "../../../terminal/view.ts";
import { alignWidths } from "../../../terminal/width.ts";
import type { Call } from "../../command.ts";

export interface ShownCall {
  rows: string[][];
  isWhole: boolean;
}

export function hasShownCall({ to, data }: JsonObject): boolean {
  return typeof to === "string" && typeof data === "string" && /^0x[0-9a-f]{8}/i.test(data);
}

/** Describes a call for a user who sees it before it is sent. */
export async function shownCall(session: Session, body: JsonObject): Promise<ShownCall> {
  if (typeof body.transaction === "string") return await shownBuilt(body.transaction);
  if (!hasShownCall(body)) return { rows: [], isWhole: false };
  const { describeCall: describeFor } = await import("./read-call.ts");
  const { lines, isWhole } = await describeFor(session, String(body.data));
  return { rows: lines.map((line, index) => [index === 0 ? "calls" : "", line]), isWhole };
}

async function shownBuilt(transaction: string): Promise<ShownCall> {
  const { describeBuilt } = await import("../../../views/transaction/describe-built.ts");
  const rows = describeBuilt(transaction).map((line, index) => [index === 0 ? "does" : "", line]);
  return { rows, isWhole: false };
}

export function withShownCall(rows: readonly string[][], call: ShownCall | undefined): string[][] {
  return rows.flatMap((row) => {
    if (!call || (row[0] !== "data" && row[0] !== "transaction")) return [row];
    return call.isWhole ? call.rows : [row, ...call.rows];
  });
}

export async function shownReplacementCalls(
  session: Session,
  body: JsonObject,
  before: JsonObject | undefined,
): Promise<Row[]> {
  const { rows } = await shownCall(session, body);
  const earlier = before && before.data !== body.data ? (await shownCall(session, before)).rows : [];
  return alignWidths([...earlier.map(([label, line = ""]) => [label === "" ? "" : "calls now", line]), ...rows]);
}

export function showsCall({ app, output: { format = "table", fields } }: Call, record: JsonObject): boolean {
  return app.stdout.isTerminal && format === "table" && fields === undefined && hasShownCall(record);
}

export async function shownCallLines(call: Call, record: JsonObject): Promise<BlockLine[]> {
  if (!showsCall(call, record)) return [];
  const { describeCall: describeFor } = await import("./read-call.ts");
  const described = await describeFor(await call.session(), String(record.data));
  return viewLines(
    "calls",
    described.lines.map((text) => ({ text })),
  );
}
