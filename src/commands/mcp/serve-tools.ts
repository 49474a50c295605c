import { type JsonObject, writeJson } from "../../contract/json.ts";
import { pipedJson } from "../../terminal/escape.ts";
import type { Call } from "../command.ts";
import { callTool } from "./call-tool.ts";
import { errorFor, type Id, isId, type Message, Refusal, RefusedMessage, readMessage, respond } from "./protocol.ts";
import { type Line, readLines } from "./read-lines.ts";
import type { Tool } from "./tools.ts";

/** The most calls at once. */
const MOST_CALLS = 8;

/** Serves the tools to the client at stdin and stdout until it closes stdin; calls that run then still end. */
export async function serveTools(call: Call, tools: readonly Tool[]): Promise<void> {
  const calls = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  let failure: unknown;
  const send = async (message: JsonObject) => await call.app.stdout.write(`${pipedJson(writeJson(message))}\n`);
  for await (const line of readLines(call.app.stdinChunks())) {
    if (failure !== undefined) break;
    const task = handleLine(line, { call, tools, calls, send }).catch((error: unknown) => {
      failure ??= error;
    });
    running.add(task);
    void task.then(() => running.delete(task));
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure;
}

interface Serving {
  call: Call;
  tools: readonly Tool[];
  calls: Map<string, AbortController>;
  send(message: JsonObject): Promise<void>;
}

async function handleLine(line: Line, serving: Serving): Promise<void> {
  if (typeof line === "string" && line.trim() === "") return;
  let message: Message | undefined;
  try {
    message = readMessage(line);
  } catch (error) {
    const { id, refusal } = error instanceof RefusedMessage ? error : { id: undefined, refusal: error };
    return await serving.send(errorFor(id, asRefusal(refusal)));
  }
  if (message?.id === undefined) return cancel(message, serving);
  const response = await responseTo(message, message.id, serving);
  if (response) await serving.send(response);
}

/** The only notification that changes anything is that a call is no longer wanted. */
function cancel(message: Message | undefined, { calls }: Serving): void {
  const id = message?.method === "notifications/cancelled" ? message.params.requestId : undefined;
  if (id !== undefined && isId(id)) calls.get(keyOf(id))?.abort("interrupted");
}

async function responseTo(message: Message, id: Id, { call, tools, calls }: Serving): Promise<JsonObject | undefined> {
  const key = keyOf(id);
  const abort = new AbortController();
  try {
    const result = await respond(message, tools, async (tool, given) => {
      if (calls.has(key)) throw new Refusal("request", "another call has this ID");
      if (calls.size >= MOST_CALLS) throw new Refusal("busy", `at most ${MOST_CALLS} calls at once`);
      calls.set(key, abort);
      try {
        return await callTool(call, tool, given, abort.signal);
      } finally {
        calls.delete(key);
      }
    });
    return abort.signal.aborted ? undefined : { jsonrpc: "2.0", id, result };
  } catch (error) {
    return errorFor(id, asRefusal(error));
  }
}

function keyOf(id: Id): string {
  return `${typeof id === "string" ? "text" : "number"} ${id}`;
}

function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal("internal", "a bug in relayctl");
}
