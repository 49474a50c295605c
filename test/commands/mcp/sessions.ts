import { cli, type World } from "../../helpers/cli.ts";

export interface Reply {
  id: string | number | null;
  result?: {
    content?: { type: string; text: string }[];
    structuredContent?: Structured;
    isError?: boolean;
    tools?: ListedTool[];
    [member: string]: unknown;
  };
  error?: { code: number; message: string; data?: unknown };
}

export interface Structured {
  exit_code: number;
  data?: unknown;
  text?: string;
  total?: number;
  next_cursor?: string;
  error?: { code: string; message: string; hint?: string; details: unknown[]; total?: number };
  messages: string[];
}

interface ListedTool {
  name: string;
  description: string;
  inputSchema: { properties: Record<string, unknown>; required?: string[] };
  outputSchema: object;
  annotations: Record<string, boolean>;
}

/** Runs the server on these lines, one after the other, and returns what it wrote, in the order of the requests. */
export async function serve(lines: readonly (string | object)[], world: World = {}, flags = "") {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  const ran = await cli(`mcp ${flags}`, { ...world, stdin: texts.map((text) => `${text}\n`).join("") });
  const replies = ran.stdout.split("\n").filter((line) => line !== "");
  return { ...ran, replies: replies.map((line): Reply => JSON.parse(line)) };
}

export const request = (id: string | number, method: string, params?: object) => ({
  ...{ jsonrpc: "2.0", id, method },
  ...(params && { params }),
});

export const toolCall = (name: string, given: object = {}, id: string | number = 1) =>
  request(id, "tools/call", { name, arguments: given });

export async function callOne(name: string, given: object = {}, world: World = {}, flags = "") {
  const ran = await serve([toolCall(name, given)], world, flags);
  const [reply] = ran.replies;
  return { ...ran, reply, isError: reply?.result?.isError === true, structured: reply?.result?.structuredContent };
}

export const STATELESS = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
